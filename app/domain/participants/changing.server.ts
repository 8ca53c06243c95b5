import { sql } from 'kysely'
import { recordChange } from '../audit/audit.server.ts'
import { invalid, notFound, Refusal } from '../errors.ts'
import type { Journey } from '../journeys/journey.ts'
import { isClosed, isUnderWay } from '../journeys/journey-status.ts'
import { requireEditable } from '../journeys/journeys.server.ts'
import { writeFactsOfMembers } from '../occurrences/facts.server.ts'
import { wasDone } from '../optimistic-lock.ts'
import type { Scope } from '../scope/scope.server.ts'
import { holdOpenAccounts } from '../users/groups/choosing.server.ts'
import { clearCancelled, welcomeLate } from './join.server.ts'
import type { Member, MembersChange } from './member.ts'
import { readMembers, toMember } from './members.server.ts'
import { assignSponsor, dismiss, handOver, keepChosen, sponsorOf } from './sponsors.server.ts'

export async function changeMembers(
  scope: Scope,
  journeyId: number,
  change: MembersChange,
): Promise<Member[]> {
  const journey = await requireEditable(scope, journeyId)
  const ids = [...new Set(change.member_ids)]
  const members = await scope.db
    .selectFrom('members')
    .select(['id', 'role', 'state', 'user_id', 'exclude_data', 'sponsor_id'])
    .where('journey_id', '=', journeyId)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  if (members.length < ids.length) throw notFound()
  if (change.lock_version !== undefined) {
    const now = await readChosen(scope, journeyId, ids)
    if (now[0] && wasDone(now[0], change, await isAsIs(scope, now[0], change))) return now
  }
  if (change.state) await takeBack(scope, journey, members)
  if (change.role) await changeRole(scope, journey, members, change.role)
  if (change.exclude_data !== undefined) {
    await scope.db
      .updateTable('members')
      .set({ exclude_data: change.exclude_data })
      .where('id', 'in', ids)
      .execute()
    await writeFactsOfMembers(scope, ids)
  }
  const sponsor = change.sponsor_user_id
    ? await sponsorOf(scope, journeyId, change.sponsor_user_id)
    : change.sponsor_id
  if (sponsor !== undefined) await assignSponsor(scope, journeyId, ids, sponsor)
  const { role, exclude_data } = change
  const isBack = change.state !== undefined && members.some(isGone)
  await recordChange(
    scope,
    'members.changed',
    { type: 'journey', id: journeyId },
    {
      members: ids,
      before: { ...asTheyWere(members), state: 'withdrawn' },
      after: { role, exclude_data, sponsor_id: sponsor, state: isBack ? change.state : undefined },
    },
  )
  return readChosen(scope, journeyId, ids)
}

async function isAsIs({ db }: Scope, now: Member, change: MembersChange): Promise<boolean> {
  const { role, exclude_data, sponsor_id, sponsor_user_id } = change
  if (now.state === 'withdrawn') return false
  if ((role ?? now.role) !== now.role || (exclude_data ?? now.exclude_data) !== now.exclude_data) return false
  if (sponsor_user_id === undefined) return sponsor_id === undefined || sponsor_id === now.sponsor_id
  const sponsor = await db
    .selectFrom('members')
    .select('user_id')
    .where('id', '=', now.sponsor_id)
    .executeTakeFirst()
  return sponsor?.user_id === sponsor_user_id
}

async function readChosen(scope: Scope, journeyId: number, ids: readonly number[]): Promise<Member[]> {
  const rows = await readMembers(scope, journeyId)
    .where('m.id', 'in', [...ids])
    .orderBy('m.id')
    .execute()
  return rows.map(toMember)
}

const isGone = ({ state }: { state: string }) => state === 'withdrawn'

const COMPARED = ['role', 'exclude_data', 'sponsor_id'] as const
type Compared = Record<(typeof COMPARED)[number], unknown>

/** The earlier values that all had in common; otherwise a value for each, in the order of their ids. */
const asTheyWere = (members: readonly Compared[]) =>
  Object.fromEntries(
    COMPARED.map((field) => {
      const values = members.map((member) => member[field])
      return [field, new Set(values).size > 1 ? values : values[0]]
    }),
  )

type Stored = { id: number; role: string; state: string; user_id: number; sponsor_id: number | null }

/** People who return to a running journey join it again; their answers are still there. */
async function takeBack(scope: Scope, journey: Journey, members: readonly Stored[]): Promise<void> {
  if (isClosed(journey.status))
    throw new Refusal(409, `You can’t add people back to a journey that is ${journey.status}.`)
  const gone = members.filter(isGone)
  if (gone.length === 0) return
  const ids = gone.map((member) => member.id)
  const people = [...new Set(gone.map((member) => member.user_id))]
  if ((await holdOpenAccounts(scope, people)).length < people.length)
    throw new Refusal(409, 'You can’t add back people who are deactivated or erased.')
  await scope.db
    .updateTable('members')
    .set({ state: 'invited', left_at: null, joined_at: sql`scope_now()` })
    .where('id', 'in', ids)
    .execute()
  await keepChosen(scope, sql`id = any(${ids}::bigint[])`)
  await writeFactsOfMembers(scope, ids)
  const learners = gone.filter((member) => member.role === 'learner').map((member) => member.id)
  if (learners.length === 0 || !isUnderWay(journey.status)) return
  await clearCancelled(scope, learners)
  await welcomeLate(scope, journey, learners)
}

/** Once lifts were sent to a learner, the role is fixed; before that, it can change. */
async function changeRole(
  scope: Scope,
  journey: Journey,
  members: readonly Stored[],
  role: Member['role'],
): Promise<void> {
  const others = members.filter((member) => member.role !== role)
  if (others.length === 0) return
  if (
    journey.status !== 'draft' &&
    (role === 'learner' || others.some((member) => member.role === 'learner'))
  )
    throw new Refusal(409, 'After launch you can add and remove learners, but not change their role.')
  const people = others.map((member) => member.user_id)
  const taken = await scope.db
    .selectFrom('members')
    .select('id')
    .where('journey_id', '=', journey.id)
    .where('role', '=', role)
    .where('user_id', 'in', people)
    .executeTakeFirst()
  if (new Set(people).size < people.length)
    throw invalid({ role: ['Someone here was chosen twice, in two roles. Please choose one of them.'] })
  if (taken) throw invalid({ role: [`Someone here is already a ${role} in this journey.`] })
  const ids = others.map((member) => member.id)
  await keepChosen(scope, sql`id = any(${ids}::bigint[])`)
  for (const member of others)
    if (member.role === 'sponsor') await handOver(scope, journey.id, member.id, undefined)
  await scope.db.updateTable('members').set({ role, sponsor_id: null }).where('id', 'in', ids).execute()
  await dismiss(
    scope.db,
    others.flatMap(({ sponsor_id }) => sponsor_id ?? []),
  )
}
