/** What the dialog of the participants shows. */
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { MemberPage } from '#app/domain/members/member.ts'
import { pageOf } from '#app/domain/page.ts'
import { User } from '#app/domain/users/user.ts'
import type { People } from './participants.tsx'
import type { ScheduleSearch } from './schedule-search.ts'

const SubTenantChoices = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) })

export async function readPeople(api: ApiClient, address: string, search: ScheduleSearch): Promise<People> {
  const [users, withdrawn, subTenants, members] = await Promise.all([
    api.get('/users', pageOf(User), { q: search.people, per_page: 100, order_by: 'name', order: 'asc' }),
    api.get(`${address}/members`, MemberPage, { withdrawn: true, per_page: 100 }),
    api.get('/tenants/tenant/sub_tenants/data', SubTenantChoices),
    api.get(`${address}/members`, MemberPage, {
      page: search.members,
      per_page: 100,
      order_by: 'name',
      order: 'asc',
    }),
  ])
  return {
    q: search.people,
    users: users.data,
    members,
    withdrawn: withdrawn.data,
    subTenants: subTenants.data,
    edited: search.member,
  }
}
