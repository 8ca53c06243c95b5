/** What the forms of the participants do, beyond adding and removing people one by one. */

import { data, redirect } from '@remix-run/node'
import type { ApiClient } from '#app/api/client.server.ts'
import { encodePath } from '#app/api/path.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { pageOf } from '#app/domain/page.ts'
import { MAX_IMPORT_CHARACTERS, MembersAdded, MembersImported } from '#app/domain/participants/member.ts'
import { GroupForm, MemberForm } from '#app/domain/participants/member-form.ts'
import { User } from '#app/domain/users/user.ts'
import { chosenText } from '#app/routes/chosen-text.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { renamed } from './renamed.server.ts'
import { participantsHref } from './schedule-search.ts'

type Task = { api: ApiClient; journeyId: string; request: Request; formData: FormData }

export async function saveMember({ api, journeyId, request, formData }: Task) {
  const submission = readForm(formData, MemberForm)
  if (submission.status !== 'success') return refuse(submission)
  const { sponsor, chosen, ...change } = submission.value
  const id = Number(new URL(request.url).searchParams.get('member'))
  try {
    const sponsoring = change.role === 'learner' ? await sponsorOf(api, sponsor, chosen) : null
    if (sponsoring?.found) {
      const { found, why } = sponsoring
      return data({ ...submission.reply({ fieldErrors: { sponsor: [why] } }), found }, { status: 422 })
    }
    await api.patch(encodePath`/lljs/${journeyId}/members`, { member_ids: [id], ...change, ...sponsoring })
  } catch (error) {
    if (await isOfNobody(error)) return data({ problem: whyGone(change.role, sponsor) }, { status: 409 })
    return refuse(submission, await renamed(error, { sponsor_id: 'sponsor', sponsor_user_id: 'sponsor' }))
  }
  return redirect(participantsHref(journeyId, request))
}

/** Removed while somebody else edited them. */
async function isOfNobody(error: unknown): Promise<boolean> {
  if (!(error instanceof Response)) return false
  if (error.status !== 409) return error.status === 404
  const { current } = (await error.clone().json()) as { current?: { state?: string } }
  return current?.state === 'withdrawn'
}

const whyGone = (role: string, sponsor: string | undefined) =>
  `This participant was removed meanwhile. Add them again first; you had chosen: ${role}${sponsor ? `, sponsor ${sponsor}` : ''}.`

/** Whoever has the e-mail, or was chosen among those that the words found; else, whom to choose from. */
async function sponsorOf(api: ApiClient, words: string | undefined, chosen: string | undefined) {
  if (!words) return { sponsor_id: null }
  const { data: people, pagination } = await api.get('/users', pageOf(User), { q: words })
  const named = (email: string | undefined) =>
    people.find((one) => one.email.toLowerCase() === email?.toLowerCase())
  const isWhole = !chosen && pagination.total === people.length
  const person = named(words) ?? named(chosen) ?? (isWhole ? onlyOneCalled(words, people) : undefined)
  if (person) return { sponsor_user_id: person.id }
  const found = people.map(({ email, name }) => ({ email, name }))
  return { found, why: whyNobody(words, found.length, pagination.total) }
}

/** Whose whole name it is, whoever else's names begin like it. */
function onlyOneCalled(words: string, people: readonly User[]): User | undefined {
  const simple = (name: string) => name.toLowerCase().replace(/\s+/g, ' ').trim()
  const called = people.filter((one) => simple(one.name ?? '') === simple(words))
  return called.length === 1 ? called[0] : undefined
}

function whyNobody(words: string, shown: number, total: number): string {
  if (total === 0)
    return words.includes('@')
      ? 'Nobody of your company has this e-mail.'
      : `Nobody of your company matches “${words}”.`
  if (total > shown) return `${total} people match. Choose below, or type more of the name.`
  return total === 1
    ? 'One person matches. Is it this one? Choose below.'
    : `${total} people match. Choose below.`
}

export async function addGroup({ api, journeyId, request, formData }: Task) {
  const submission = readForm(formData, GroupForm)
  if (submission.status !== 'success') return refuse(submission)
  const { role, ...group } = submission.value
  try {
    const { added } = await api.post(encodePath`/lljs/${journeyId}/members`, { group, role }, MembersAdded)
    return redirectWithToast(participantsHref(journeyId, request), {
      title: added === 1 ? '1 added' : `${added} added`,
    })
  } catch (error) {
    return refuse(submission, error)
  }
}

export async function returnMember({ api, journeyId, request, formData }: Task) {
  const member_ids = [Number(formData.get('member_id'))]
  try {
    await api.patch(encodePath`/lljs/${journeyId}/members`, { member_ids, state: 'active' })
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 409) throw error
    const { detail } = (await error.json()) as { detail: string }
    return data({ problem: detail }, { status: 409 })
  }
  return redirectWithToast(participantsHref(journeyId, request), { title: 'They are back' })
}

/** The table comes back with what would happen, so that the second press does just that. */
export async function importTable({ api, journeyId, request, formData }: Task) {
  const chosen = await chosenText(formData, 'csv')
  if ('problem' in chosen) return data({ tableProblem: chosen.problem }, { status: 422 })
  const { text: csv, isTyped } = chosen
  const wrong = csv.trim() === '' ? 'Please choose a file or paste a table.' : tooLong(csv)
  if (wrong) return data({ tableProblem: wrong, csv: csv.slice(0, MAX_IMPORT_CHARACTERS) }, { status: 422 })
  const dry_run = formData.get('sure') !== 'true' || !isTyped
  try {
    const table = await api.post(
      encodePath`/lljs/${journeyId}/members/import`,
      { csv, dry_run },
      MembersImported,
    )
    if (!table.done) return data({ table, csv }, { status: table.problems.length > 0 ? 422 : 200 })
    const title = table.rows.length === 1 ? '1 participant saved' : `${table.rows.length} participants saved`
    return redirectWithToast(participantsHref(journeyId, request), { title })
  } catch (error) {
    if (!(error instanceof Response) || (error.status !== 422 && error.status !== 409)) throw error
    const { detail } = (await error.json()) as { detail: unknown }
    return data({ tableProblem: wordsOf(detail), csv }, { status: error.status })
  }
}

const tooLong = (csv: string) =>
  csv.length > MAX_IMPORT_CHARACTERS
    ? `This table is too long: at most ${MAX_IMPORT_CHARACTERS.toLocaleString('en-US')} characters.`
    : null

const wordsOf = (detail: unknown): string =>
  typeof detail === 'string'
    ? detail
    : Object.values(detail ?? {})
        .flat()
        .join(' ')
