import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'
import type { Member } from './member.ts'
import { addMembers } from './members.server.ts'

/** Adds all at once, and leaves the planning to a job. Returns membership ids by user id. */
export async function takeIn(
  scope: Scope,
  journeyId: number,
  user_ids: number[],
  role: Member['role'],
): Promise<Map<number, number>> {
  if (user_ids.length === 0) return new Map()
  await addMembers(scope, journeyId, { user_ids, role, exclude_data: false }, 'csv')
  const members = await scope.db
    .selectFrom('members')
    .select(['id', 'user_id'])
    .where('journey_id', '=', journeyId)
    .where('role', '=', role)
    .where(sql<boolean>`user_id = any(${user_ids}::bigint[])`)
    .execute()
  return new Map(members.map(({ id, user_id }) => [user_id, id]))
}
