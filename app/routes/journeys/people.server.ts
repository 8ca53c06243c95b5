/** What the dialog of the participants shows. */
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { MemberPage } from '#app/domain/members/member.ts'
import { pageOf } from '#app/domain/page.ts'
import { User } from '#app/domain/users/user.ts'
import type { Edited } from './find-sponsor.tsx'
import type { People } from './participants.tsx'
import type { ScheduleSearch } from './schedule-search.ts'

const SubTenantChoices = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) })
const BY_NAME = { order_by: 'name', order: 'asc' }

export async function readPeople(api: ApiClient, address: string, search: ScheduleSearch): Promise<People> {
  const { people, find } = search
  const [others, withdrawn, subTenants, members, edited] = await Promise.all([
    listOthers(api, address, people),
    api.get(`${address}/members`, MemberPage, { withdrawn: true, q: find, per_page: 100, ...BY_NAME }),
    api.get('/tenants/tenant/sub_tenants/data', SubTenantChoices),
    api.get(`${address}/members`, MemberPage, { page: search.members, q: find, per_page: 100, ...BY_NAME }),
    search.member ? readEdited(api, address, search.member, search) : null,
  ])
  return { q: people, find, others, members, withdrawn, subTenants: subTenants.data, edited }
}

/** People of the company who are not learners here yet. */
async function listOthers(api: ApiClient, address: string, q: string): Promise<User[]> {
  const { data: users } = await api.get('/users', pageOf(User), { q, per_page: 100, ...BY_NAME })
  if (users.length === 0) return []
  const user_ids = users.map((user) => user.id).join(',')
  const { data } = await api.get(`${address}/members`, MemberPage, {
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
  address: string,
  member_id: number,
  { seek, sponsor }: ScheduleSearch,
): Promise<Edited | null> {
  const { data } = await api.get(`${address}/members`, MemberPage, { member_id })
  const [member] = data
  if (!member) return null
  const isSought = member.role === 'learner' && seek !== ''
  const [sponsors, found] = await Promise.all([
    api.get(`${address}/members`, MemberPage, {
      ...{ role: 'sponsor', q: member.role === 'sponsor' ? seek : '', per_page: 100, ...BY_NAME },
    }),
    isSought ? api.get('/users', pageOf(User), { q: seek, per_page: 20, ...BY_NAME }) : { data: [] },
  ])
  return {
    ...{ member, seek, chosen: sponsor },
    sponsors: sponsors.data.filter((one) => one.id !== member.id),
    hasMoreSponsors: sponsors.pagination.total_pages > 1,
    found: found.data.filter((user) => user.id !== member.user_id),
  }
}
