/** Commitments: created by an answer, ended by the learner. */
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { plannedOnce } from '#app/db/plans/named.server.ts'
import { rowById } from '#app/db/row-by-id.server.ts'
import type { DB } from '#app/db/schema.ts'
import { record } from '../audit/audit.server.ts'
import { invalid, notFound, Refusal } from '../errors.ts'
import { nowIn, todayIn } from '../scope/clock.server.ts'
import { OWN_MEMBERS } from '../scope/own-members.server.ts'
import { asParticipant, type Scope } from '../scope/scope.server.ts'
import type {
  Commitment,
  CommitmentChange,
  CommitmentEvent,
  CommitmentQuery,
  Commitments,
} from './commitment.ts'
import type { Occurrence } from './find-occurrence.server.ts'

const MAX = 200
const MAX_OF_BOTH = 2 * MAX

/** Within these days a learner can reopen a commitment. */
const LATELY_DAYS = 14

export function requireDayToCome(
  scope: Scope,
  occurrence: Occurrence,
  promptId: number,
  value: unknown,
): void {
  if ((value as { by: string }).by < todayIn(scope, occurrence.zone))
    throw invalid({ [`prompt_${promptId}`]: ['Please choose today or a later day'] })
}

/** Turns the answer into a commitment; another answer replaces it. */
export async function keepCommitment(
  { actor, db }: Scope,
  occurrence: Occurrence,
  response: { id: number; prompt_id: number; by: string },
): Promise<void> {
  const again = { state: 'open', settled_at: null, acknowledged_by: null, acknowledged_at: null }
  // A new day gets a new reminder.
  const now = { response_id: response.id, by_on: response.by, reminded_on: null }
  const kept = await db
    .insertInto('commitments')
    .values({
      ...{ tenant_id: actor.tenant_id, journey_id: occurrence.journey_id, member_id: occurrence.member_id },
      ...{ lift_id: occurrence.lift_id, prompt_id: response.prompt_id },
      ...now,
    })
    .onConflict((clash) =>
      clash.columns(['tenant_id', 'member_id', 'prompt_id']).doUpdateSet({ ...now, ...again }),
    )
    .returning(['id', 'journey_id', 'member_id', 'response_id'])
    .executeTakeFirstOrThrow()
  await noteEvent({ actor, db }, { ...kept, by_on: response.by, state: 'open' })
}

type Noted = {
  id: number
  journey_id: number
  member_id: number
  response_id: number
  by_on: string
  state: string
}

async function noteEvent({ actor, db }: Scope, { id, ...event }: Noted): Promise<void> {
  await db
    .insertInto('commitment_events')
    .values({ tenant_id: actor.tenant_id, commitment_id: id, ...event })
    .execute()
}

type SomeCommitments = RawBuilder<Selectable<DB['commitments']>>

export const commitmentsOf = (memberId: number): SomeCommitments =>
  sql`(select * from commitments where member_id = ${memberId})`

export const commitmentOf = (id: number): SomeCommitments => sql`(select * from commitments where id = ${id})`

const OWN_COMMITMENTS: SomeCommitments = sql`(select c.* from ${OWN_MEMBERS} own
  cross join lateral (select * from commitments where member_id = own.id offset 0) c)`

/** Commitments visible in the scope; a day is over by the clock of the learner's time zone. */
export const selectCommitments = ({ db }: { db: Kysely<DB> }, some: SomeCommitments) =>
  db
    .selectFrom(some.as('c'))
    .innerJoinLateral(rowById('responses', 'c.response_id').as('r'), (join) => join.onTrue())
    .innerJoinLateral(rowById('journeys', 'c.journey_id').as('j'), (join) => join.onTrue())
    .innerJoinLateral(
      sql<{ zone: string }>`(select zone, state, closes_at from occurrences
        where member_id = c.member_id and lift_id = c.lift_id offset 0)`.as('o'),
      (join) => join.onTrue(),
    )
    .select(['c.id', 'c.lift_id', 'c.prompt_id', 'c.state', 'c.acknowledged_at', 'j.name'])
    .select([
      'j.id as journey_id',
      sql<string>`r.value ->> 'what'`.as('what'),
      sql<string>`c.by_on::text`.as('by_on'),
    ])
    .select(
      sql<
        CommitmentEvent[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('state', e.state, 'what', er.value ->> 'what',
          'by_on', e.by_on, 'at', e.at) order by e.id), '[]')
        from commitment_events e cross join lateral ${rowById('responses', 'e.response_id')} er
        where e.tenant_id = c.tenant_id and e.commitment_id = c.id)`.as('history'),
    )
    .select(
      sql<boolean>`c.state = 'open' and c.by_on < (scope_now() at time zone o.zone)::date`.as('is_late'),
    )
    .select(
      sql<boolean>`o.state <> 'expired'
        and least(o.closes_at, j.answers_until, 'infinity') > scope_now()`.as('is_answerable'),
    )
    .orderBy('c.by_on')
    .orderBy('c.id')
    .limit(sql.lit(MAX))

type Row = Awaited<ReturnType<ReturnType<typeof selectCommitments>['execute']>>[number]
export const toCommitment = ({ journey_id, name, acknowledged_at, state, ...row }: Row): Commitment => ({
  ...row,
  state: state as Commitment['state'],
  journey: { id: journey_id, name },
  acknowledged_at: acknowledged_at?.toISOString() ?? null,
})

const selectOwn = (db: Kysely<DB>) => selectCommitments({ db }, OWN_COMMITMENTS)

const IS_OPEN = sql<boolean>`c.state = 'open'`
const IS_SETTLED_LATELY = sql<boolean>`c.state <> 'open'
  and c.settled_at > scope_now() - make_interval(days => ${sql.lit(LATELY_DAYS)})`

export const selectOwnOpen = (db: Kysely<DB>) => selectOwn(db).where(IS_OPEN)
const readOpen = plannedOnce(selectOwnOpen)
const readSettled = plannedOnce((db) => selectOwn(db).where(IS_SETTLED_LATELY))
const readBoth = plannedOnce((db) =>
  selectOwn(db)
    .where((is) => is.or([IS_OPEN, IS_SETTLED_LATELY]))
    .clearOrderBy()
    .orderBy(IS_OPEN, 'desc')
    .orderBy('c.by_on')
    .orderBy('c.id')
    .limit(sql.lit(MAX_OF_BOTH)),
)

/** The actor's own commitments: open, recently ended, or both. */
export const listOwnCommitments = (
  scope: Scope,
  { settled, with_settled }: CommitmentQuery,
): Promise<Commitments> =>
  asParticipant(scope, async ({ db }) => {
    const rows = await (with_settled ? readBoth : settled ? readSettled : readOpen)(db)
    return { data: rows.map(toCommitment) }
  })

export async function findOwnCommitment(scope: Scope, id: number): Promise<Commitment> {
  const found = await asParticipant(scope, (own) =>
    selectOwn(own.db).where('c.id', '=', id).executeTakeFirst(),
  )
  if (!found) throw notFound()
  return toCommitment(found)
}

/** Marks a commitment as done, dropped or open again. Idempotent; a change from an outdated page is ignored. */
export async function changeCommitment(
  scope: Scope,
  id: number,
  { state }: CommitmentChange,
): Promise<Commitment> {
  const { lift_id } = await findOwnCommitment(scope, id)
  const settled_at = state === 'open' ? null : nowIn(scope)
  const [changed] = await asParticipant(scope, async (own) => {
    const { rows } = await sql<Noted>`update commitments set state = ${state}, settled_at = ${settled_at}
      where id = ${id} and state <> ${state} and 'open' in (state, ${state})
      returning id, journey_id, member_id, response_id, by_on::text as by_on, state`.execute(own.db)
    for (const row of rows) await noteEvent(own, row)
    return rows
  })
  const after = await findOwnCommitment(scope, id)
  if (after.state !== state) throw new Refusal(409, `This is already ${after.state}. Please reopen it first.`)
  if (changed) await record(scope, `commitment.${state}`, { type: 'lift', id: lift_id }, {})
  return after
}
