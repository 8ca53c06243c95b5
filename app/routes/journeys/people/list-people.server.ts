/** Lists of participants of a journey, and of people who could be added. */

import type { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { listParticipants } from '#app/api/contract/participants.ts'
import { listUsers } from '#app/api/contract/people/users.ts'
import type { Member, MemberPage } from '#app/domain/participants/member.ts'
import type { User } from '#app/domain/users/user.ts'

const BY_NAME = { order_by: 'name', order: 'asc', per_page: 100 }

export type Members = z.infer<typeof MemberPage>

const listMembers = (api: ApiClient, journeyId: string, query: Record<string, string | number | boolean>) =>
  api(listParticipants, { id: journeyId }, { ...BY_NAME, ...query })

/** The requested page; the last one if that no longer exists. */
export async function listMemberPage(api: ApiClient, journeyId: string, page: number, q: string) {
  const asked = await listMembers(api, journeyId, { page, q })
  const last = Math.max(asked.pagination.total_pages, 1)
  return page > last ? listMembers(api, journeyId, { page: last, q }) : asked
}

export const listWithdrawn = (api: ApiClient, journeyId: string, q: string) =>
  listMembers(api, journeyId, { withdrawn: true, q })

export const listSponsors = (api: ApiClient, journeyId: string, q: string) =>
  listMembers(api, journeyId, { role: 'sponsor', q })

/** One participant, whatever page they are on. */
export async function readMember(
  api: ApiClient,
  journeyId: string,
  member_id: string | undefined,
): Promise<Member | null> {
  if (!/^[1-9]\d{0,14}$/.test(member_id ?? '')) return null
  const { data } = await listMembers(api, journeyId, { member_id: Number(member_id) })
  return data[0] ?? null
}

/** People of the company who are not learners here yet: the ticked ones, and search results. */
export async function listCandidates(
  api: ApiClient,
  journeyId: string,
  q: string,
  ticked: readonly number[],
) {
  const [{ data: matching }, { data: chosen }] = await Promise.all([
    api(listUsers, { ...BY_NAME, q }),
    ticked.length > 0 ? api(listUsers, { ...BY_NAME, user_ids: ticked.join(',') }) : { data: [] },
  ])
  const [chosenOnes, others] = await Promise.all([
    withoutLearners(api, journeyId, chosen),
    withoutLearners(api, journeyId, matching),
  ])
  return { chosen: chosenOnes, others: others.filter(({ id }) => !ticked.includes(id)) }
}

async function withoutLearners(api: ApiClient, journeyId: string, users: User[]): Promise<User[]> {
  if (users.length === 0) return []
  const user_ids = users.map((user) => user.id).join(',')
  const { data } = await listMembers(api, journeyId, { role: 'learner', user_ids })
  const learners = new Set(data.map((member) => member.user_id))
  return users.filter((user) => !learners.has(user.id))
}
