/** Finds the person meant by the input in the field of a sponsor. */

import { listUsers } from '#app/api/contract/people/users.ts'
import { placeOf } from '#app/domain/access/actor.ts'
import { figures } from '#app/domain/text/figures.ts'
import type { User } from '#app/domain/users/user.ts'
import type { Visitor } from '#app/routes/guards.server.ts'

/** The person with this e-mail address, or chosen from the search results; otherwise the results to choose from. */
export async function chooseSponsor(
  { api, actor }: Visitor,
  words: string | undefined,
  chosen: string | undefined,
) {
  if (!words) return { sponsor_id: null }
  const { data: people, pagination } = await api(listUsers, {
    q: words.replace(/\s+/g, ' '),
  })
  const named = (email: string | undefined) =>
    people.find((one) => one.email.toLowerCase() === email?.toLowerCase())
  const isWhole = !chosen && pagination.total === people.length
  const person = named(words) ?? named(chosen) ?? (isWhole ? onlyOneCalled(words, people) : undefined)
  if (person) return { sponsor_user_id: person.id }
  const found = people.map(({ email, name }) => ({ email, name }))
  return { found, why: whyNobody(words, found.length, pagination.total, placeOf(actor)) }
}

/** The only person with exactly this name, however many other names begin like it. */
function onlyOneCalled(words: string, people: readonly User[]): User | undefined {
  const simple = (name: string) => name.toLowerCase().replace(/\s+/g, ' ').trim()
  const called = people.filter((one) => simple(one.name ?? '') === simple(words))
  return called.length === 1 ? called[0] : undefined
}

function whyNobody(words: string, shown: number, total: number, place: string): string {
  if (total === 0)
    return words.includes('@')
      ? `Nobody in ${place} has this e-mail.`
      : `Nobody in ${place} matches “${words}”.`
  if (total > shown) return `${figures(total)} people match. Choose below, or type more of the name.`
  return total === 1 ? 'One person matches. Confirm below.' : `${figures(total)} people match. Choose below.`
}
