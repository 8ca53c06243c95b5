/** What the dialog of the participants shows. */

import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { encodePath } from '#app/api/path.ts'
import { pageOf } from '#app/domain/page.ts'
import { MemberPage } from '#app/domain/participants/member.ts'
import { User } from '#app/domain/users/user.ts'
import type { Edited } from './member-editor.tsx'
import type { People } from './participants.tsx'
import type { ScheduleSearch } from './schedule-search.ts'

type Members = z.infer<typeof MemberPage>

const SubTenantChoices = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) })
const BY_NAME = { order_by: 'name', order: 'asc' }

export async function readPeople(api: ApiClient, journeyId: string, search: ScheduleSearch): Promise<People> {
  const { people, find } = search
  const chosen = search.user_ids
  const [found, withdrawn, subTenants, members, edited] = await Promise.all([
    listOthers(api, journeyId, people, chosen),
    api.get(encodePath`/lljs/${journeyId}/members`, MemberPage, {
      withdrawn: true,
      q: find,
      per_page: 100,
      ...BY_NAME,
    }),
    api.get('/tenants/tenant/sub_tenants/data', SubTenantChoices),
    listMembers(api, journeyId, search.members, find),
    search.member ? readEdited(api, journeyId, search.member, search) : null,
  ])
  return { q: people, find, ...found, members, withdrawn, subTenants: subTenants.data, edited }
}

/** The page there is: the last one may have gone with whoever stood on it. */
async function listMembers(api: ApiClient, journeyId: string, page: number, q: string): Promise<Members> {
  const read = (page: number) =>
    api.get(encodePath`/lljs/${journeyId}/members`, MemberPage, { page, q, per_page: 100, ...BY_NAME })
  const asked = await read(page)
  const last = Math.max(asked.pagination.total_pages, 1)
  return page > last ? read(last) : asked
}

/** People of the company who are not learners here yet: those who are ticked, and who matches. */
async function listOthers(api: ApiClient, journeyId: string, q: string, chosen: number[]) {
  const [{ data: matching }, { data: ticked }] = await Promise.all([
    api.get('/users', pageOf(User), { q, per_page: 100, ...BY_NAME }),
    chosen.length > 0
      ? api.get('/users', pageOf(User), { user_ids: chosen.join(','), per_page: 100, ...BY_NAME })
      : { data: [] },
  ])
  const [chosenOnes, others] = await Promise.all([
    withoutLearners(api, journeyId, ticked),
    withoutLearners(api, journeyId, matching),
  ])
  return { chosen: chosenOnes, others: others.filter(({ id }) => !chosen.includes(id)) }
}

async function withoutLearners(api: ApiClient, journeyId: string, users: User[]): Promise<User[]> {
  if (users.length === 0) return []
  const user_ids = users.map((user) => user.id).join(',')
  const { data } = await api.get(encodePath`/lljs/${journeyId}/members`, MemberPage, {
    role: 'learner',
    user_ids,
    per_page: 100,
  })
  const learners = new Set(data.map((member) => member.user_id))
  return users.filter((user) => !learners.has(user.id))
}

/** One participant of whichever page, with whom their form offers; null when they left meanwhile. */
async function readEdited(
  api: ApiClient,
  journeyId: string,
  member_id: number,
  { seek, leave }: ScheduleSearch,
): Promise<Edited | null> {
  const { data } = await api.get(encodePath`/lljs/${journeyId}/members`, MemberPage, { member_id })
  const [member] = data
  if (!member) return null
  const sponsors = await api.get(encodePath`/lljs/${journeyId}/members`, MemberPage, {
    ...{ role: 'sponsor', q: leave ? seek : '', per_page: 100, ...BY_NAME },
  })
  return {
    ...{ member, seek, leave },
    sponsors: sponsors.data.filter((one) => one.id !== member.id),
    hasMoreSponsors: sponsors.pagination.total_pages > 1,
  }
}
