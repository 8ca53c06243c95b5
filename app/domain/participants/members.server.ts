/** The participants of a journey: adding, changing and removing them. */
import { sql } from 'kysely'
import { nameOrEmail } from '#app/domain/text/full-name.ts'
import { record } from '../audit/audit.server.ts'
import { notFound, Refusal } from '../errors.ts'
import { isClosed, isUnderWay } from '../journeys/journey-status.ts'
import { requireEditable } from '../journeys/journeys.server.ts'
import { writeFactsOfMembers } from '../occurrences/facts.server.ts'
import { cancelWaiting } from '../planning/runs/hold-and-release.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { type Found, rowsOf } from '../search.server.ts'
import { findPeople } from '../users/groups/choosing.server.ts'
import { clearCancelled, insertMembers, welcomeLate } from './join.server.ts'
import type { Member, MembersAdded, MembersInput } from './member.ts'
import { sponsorName } from './sponsor-name.server.ts'
import { dismiss, handOver } from './sponsors.server.ts'

export const selectMembers = ({ db }: Scope, journeyId: number, found: Found | null = null) =>
  db
    .selectFrom(rowsOf('members', found).as('m'))
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.journey_id', '=', journeyId)

export const readMembers = (scope: Scope, journeyId: number) =>
  selectMembers(scope, journeyId)
    .leftJoin('members as sm', 'sm.id', 'm.sponsor_id')
    .leftJoin('users as su', 'su.id', 'sm.user_id')
    .selectAll('m')
    .select(['u.first_name', 'u.last_name', 'u.email'])
    .select(['su.first_name as sponsor_first', 'su.last_name as sponsor_last', 'su.email as sponsor_email'])

export async function addMembers(
  scope: Scope,
  journeyId: number,
  input: MembersInput,
  source: 'manual' | 'csv' | 'group' = input.group ? 'group' : 'manual',
): Promise<MembersAdded> {
  const journey = await requireEditable(scope, journeyId)
  if (isClosed(journey.status))
    throw new Refusal(409, `You can’t add participants to a journey that is ${journey.status}.`)
  const ids = await findPeople(scope, input)
  const joined = await insertMembers(scope, journeyId, ids, { ...input, source })
  const memberIds = [...joined.came, ...joined.returned]
  if (memberIds.length > 0)
    await record(
      scope,
      'members.added',
      { type: 'journey', id: journeyId },
      { members: memberIds, role: input.role },
    )
  await writeFactsOfMembers(scope, joined.returned)
  if (input.role === 'learner' && memberIds.length > 0 && isUnderWay(journey.status)) {
    await clearCancelled(scope, joined.returned)
    await welcomeLate(scope, journey, memberIds)
  }
  const rows = await readMembers(scope, journeyId)
    .where('m.user_id', 'in', ids.slice(0, MAX_SHOWN))
    .where('m.role', '=', input.role)
    .orderBy('m.id')
    .limit(MAX_SHOWN)
    .execute()
  return { data: rows.map(toMember), added: memberIds.length, skipped: ids.length - memberIds.length }
}

const MAX_SHOWN = 500

/** In a draft the member is deleted; later they withdraw: unsent messages are cancelled, answers stay. */
export async function removeMember(
  scope: Scope,
  journeyId: number,
  memberId: number,
  successorId?: number,
): Promise<void> {
  const journey = await requireEditable(scope, journeyId)
  const member = await scope.db
    .selectFrom('members')
    .select(['id', 'state', 'sponsor_id'])
    .where('id', '=', memberId)
    .where('journey_id', '=', journeyId)
    .executeTakeFirst()
  if (!member || member.state === 'withdrawn') throw notFound()
  await record(scope, 'member.removed', { type: 'journey', id: journeyId }, { member: memberId })
  await handOver(scope, journeyId, memberId, successorId)
  if (journey.status === 'draft') {
    await scope.db.deleteFrom('members').where('id', '=', memberId).execute()
    if (member.sponsor_id !== null) await dismiss(scope.db, [member.sponsor_id])
    return
  }
  await withdraw(scope, memberId)
}

/**
 * A learner leaves at their own request, even after the journey has ended, as commitments may still be due. Null if
 * they were never a learner in it; `has_left` is false if nothing more would come anyway.
 */
export async function leaveJourney(
  scope: Scope,
  journeyId: number,
  userId: number,
): Promise<{ name: string; has_left: boolean } | null> {
  const member = await scope.db
    .selectFrom('members as m')
    .innerJoin('journeys as j', 'j.id', 'm.journey_id')
    .select(['m.id', 'm.state', 'j.name', 'j.status'])
    .where('j.id', '=', journeyId)
    .where('m.user_id', '=', userId)
    .where('m.role', '=', 'learner')
    .where('j.status', '!=', 'draft')
    .executeTakeFirst()
  if (!member) return null
  const { id, name, state, status } = member
  if (state === 'withdrawn' || status === 'archived') return { name, has_left: false }
  await withdraw(scope, id)
  await record(scope, 'member.left', { type: 'journey', id: journeyId }, { member: id })
  return { name, has_left: true }
}

async function withdraw(scope: Scope, memberId: number): Promise<void> {
  await scope.db
    .updateTable('members')
    .set({ state: 'withdrawn', left_at: sql`scope_now()` })
    .where('id', '=', memberId)
    .execute()
  await cancelWaiting(scope, [memberId], 'withdrawn')
}

type MemberRow = Omit<Member, 'name' | 'joined_at' | 'role' | 'state' | 'sponsor_name'> & {
  role: string
  state: string
  first_name: string
  last_name: string
  sponsor_first: string | null
  sponsor_last: string | null
  joined_at: Date
}
export const toMember = (row: MemberRow): Member => ({
  id: row.id,
  journey_id: row.journey_id,
  user_id: row.user_id,
  name: nameOrEmail(row),
  email: row.email,
  role: row.role as Member['role'],
  state: row.state as Member['state'],
  exclude_data: row.exclude_data,
  sponsor_id: row.sponsor_id,
  sponsor_name: sponsorName(row.sponsor_id, {
    first_name: row.sponsor_first,
    last_name: row.sponsor_last,
    email: row.sponsor_email,
  }),
  sponsor_email: row.sponsor_email,
  joined_at: row.joined_at.toISOString(),
  lock_version: row.lock_version,
})
