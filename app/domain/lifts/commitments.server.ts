/** Commitments: made by an answer, ended by their learner. */
import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { record } from '../audit/audit.server.ts'
import { invalid, notFound } from '../errors.ts'
import { asParticipant, type Scope } from '../scope.server.ts'
import type { Commitment, CommitmentChange, Commitments } from './commitment.ts'
import type { Turn } from './pages.server.ts'

const MOST = 200

/** Today where the learner is. */
const todayIn = (zone: string) => Temporal.Now.plainDateISO(zone).toString()

export function requireDayToCome(turn: Turn, promptId: number, value: unknown): void {
  if ((value as { by: string }).by < todayIn(turn.zone))
    throw invalid({ [`prompt_${promptId}`]: ['Please choose today or a later day'] })
}

/** The answer is a to-do from now on; another answer replaces it. */
export async function keepCommitment(
  { actor, db }: Scope,
  turn: Turn,
  response: { id: number; prompt_id: number; by: string },
): Promise<void> {
  const again = { state: 'open', settled_at: null, acknowledged_by: null, acknowledged_at: null }
  const now = { response_id: response.id, by_on: response.by }
  await db
    .insertInto('commitments')
    .values({
      ...{ tenant_id: actor.tenant_id, journey_id: turn.journey_id, member_id: turn.member_id },
      ...{ lift_id: turn.lift_id, prompt_id: response.prompt_id },
      ...now,
    })
    .onConflict((clash) =>
      clash.columns(['tenant_id', 'member_id', 'prompt_id']).doUpdateSet({ ...now, ...again }),
    )
    .execute()
}

/** As far as the scope shows them; a day has passed when it is over in the learner's zone. */
export const selectCommitments = ({ db }: Pick<Scope, 'db'>) =>
  db
    .selectFrom('commitments as c')
    .innerJoin('responses as r', 'r.id', 'c.response_id')
    .innerJoin('journeys as j', 'j.id', 'c.journey_id')
    .innerJoin('members as m', 'm.id', 'c.member_id')
    .innerJoin('occurrences as o', (join) =>
      join.onRef('o.member_id', '=', 'c.member_id').onRef('o.lift_id', '=', 'c.lift_id'),
    )
    .select(['c.id', 'c.lift_id', 'c.prompt_id', 'c.state', 'c.acknowledged_at', 'j.name'])
    .select([
      'j.id as journey_id',
      sql<string>`r.value ->> 'what'`.as('what'),
      sql<string>`c.by_on::text`.as('by_on'),
    ])
    .select(sql<boolean>`c.state = 'open' and c.by_on < (now() at time zone o.zone)::date`.as('is_late'))
    .orderBy('c.by_on')
    .orderBy('c.id')
    .limit(MOST)

type Row = Awaited<ReturnType<ReturnType<typeof selectCommitments>['execute']>>[number]
export const toCommitment = ({ journey_id, name, acknowledged_at, state, ...row }: Row): Commitment => ({
  ...row,
  state: state as Commitment['state'],
  journey: { id: journey_id, name },
  acknowledged_at: acknowledged_at?.toISOString() ?? null,
})

const selectOwn = (own: Scope) =>
  selectCommitments(own)
    .where('m.user_id', '=', own.actor.user_id ?? 0)
    .where('m.state', '!=', 'withdrawn')

/** One's own that are still open. */
export const listOwnCommitments = (scope: Scope): Promise<Commitments> =>
  asParticipant(scope, async (own) => ({
    data: (await selectOwn(own).where('c.state', '=', 'open').execute()).map(toCommitment),
  }))

export async function findOwnCommitment(scope: Scope, id: number): Promise<Commitment> {
  const found = await asParticipant(scope, (own) => selectOwn(own).where('c.id', '=', id).executeTakeFirst())
  if (!found) throw notFound()
  return toCommitment(found)
}

/** Done, let go, or open again; the same again changes nothing. */
export async function changeCommitment(
  scope: Scope,
  id: number,
  { state }: CommitmentChange,
): Promise<Commitment> {
  const before = await findOwnCommitment(scope, id)
  if (before.state !== state) {
    const settled_at = state === 'open' ? null : new Date()
    await asParticipant(scope, (own) =>
      own.db.updateTable('commitments').set({ state, settled_at }).where('id', '=', id).execute(),
    )
    await record(scope, `commitment.${state}`, { type: 'lift', id: before.lift_id }, {})
  }
  return findOwnCommitment(scope, id)
}
