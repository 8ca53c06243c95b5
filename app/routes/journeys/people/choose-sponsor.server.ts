/** Who is meant by the words in the field of a sponsor. */

import type { ApiClient } from '#app/api/client.server.ts'
import { listUsers } from '#app/api/contract/people/users.ts'
import { figures } from '#app/domain/text/figures.ts'
import type { User } from '#app/domain/users/user.ts'

/** The person with this e-mail, or chosen among those that the words found; else, whom to choose from. */
export async function chooseSponsor(api: ApiClient, words: string | undefined, chosen: string | undefined) {
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
  return { found, why: whyNobody(words, found.length, pagination.total) }
}

/** Whose whole name it is, however many others' names begin like it. */
function onlyOneCalled(words: string, people: readonly User[]): User | undefined {
  const simple = (name: string) => name.toLowerCase().replace(/\s+/g, ' ').trim()
  const called = people.filter((one) => simple(one.name ?? '') === simple(words))
  return called.length === 1 ? called[0] : undefined
}

function whyNobody(words: string, shown: number, total: number): string {
  if (total === 0)
    return words.includes('@')
      ? 'Nobody in your company has this e-mail.'
      : `Nobody in your company matches “${words}”.`
  if (total > shown) return `${figures(total)} people match. Choose below, or type more of the name.`
  return total === 1 ? 'One person matches. Confirm below.' : `${figures(total)} people match. Choose below.`
}
