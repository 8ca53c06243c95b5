/**
 * Tallies of a journey's lifts by the quarter of an hour in which they were due. Changes are appended, and folded
 * into sums when there are many.
 */
import { type RawBuilder, sql } from 'kysely'
import { REACHED } from '../occurrences/overdue.server.ts'
import type { Scope } from '../scope/scope.server.ts'

const SUMMED = [
  ...['assigned', 'asked', 'accepted', 'unknown', 'suppressed', 'failed', 'expired', 'pending', 'delivered'],
  ...['opened', 'opened_and_delivered', 'responded', 'answered', 'completed', 'waiting'],
]

const COUNTED = sql`count(*) as assigned, count(*) filter (where asks) as asked, count(accepted_at) as accepted,
  count(*) filter (where delivery = 'unknown') as unknown, count(*) filter (where delivery = 'suppressed') as suppressed,
  count(*) filter (where delivery = 'failed') as failed, count(*) filter (where delivery = 'expired') as expired,
  count(*) filter (where delivery = 'pending') as pending, count(delivered_at) as delivered, count(opened_at) as opened,
  count(opened_at) filter (where delivered_at is not null) as opened_and_delivered, count(responded_at) as responded,
  count(responded_at) filter (where asks) as answered, count(completed_at) as completed,
  count(accepted_at) filter (where responded_at is null and completed_at is null and left_at is null) as waiting`

type Tallied = {
  of: 'fact_occurrence' | 'fact_learner'
  keys: readonly string[]
  sums: readonly string[]
  counted: RawBuilder<unknown>
  where: RawBuilder<unknown>
}

const TALLIED: Readonly<Record<'lift_tallies' | 'answer_tallies' | 'learner_tallies', Tallied>> = {
  lift_tallies: {
    of: 'fact_occurrence',
    keys: ['journey_id', 'lift_id', 'due_from', 'closes_from', 'is_counted'],
    sums: SUMMED,
    counted: sql`journey_id, lift_id, quarter_of(due_at) as due_from,
      quarter_of(closes_at) as closes_from, is_counted, ${COUNTED}`,
    where: sql`state not in ('cancelled', 'held')`,
  },
  answer_tallies: {
    of: 'fact_occurrence',
    keys: ['journey_id', 'lift_id', 'due_from', 'sent_from', 'answered_after'],
    sums: ['many'],
    counted: sql`journey_id, lift_id, quarter_of(due_at) as due_from, quarter_of(accepted_at) as sent_from,
      days_until_answer(accepted_at, responded_at) as answered_after, count(*) as many`,
    where: sql`is_counted and asks and (accepted_at is not null or responded_at is not null)`,
  },
  learner_tallies: {
    of: 'fact_learner',
    keys: ['journey_id', 'begun_from'],
    sums: ['many'],
    counted: sql`journey_id, quarter_of(first_due_at) as begun_from, count(*) as many`,
    where: sql`first_due_at is not null`,
  },
}
/** The columns of a learner that are derived from facts. */
const TOLD = ['first_due_at', 'last_due_at', 'longest_gap', 'owes_from', 'owes_until']
const of = (table: string) => sql.join(TOLD.map((name) => sql.ref(`${table}.${name}`)))
const TABLES = ['lift_tallies', 'answer_tallies', 'learner_tallies'] as const
const named = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
const summed = (names: readonly string[]) => sql.join(names.map((name) => sql`sum(${sql.ref(name)})`))
/** Whoever folds while another does sees only a part of a sum: the first may be zero in it, and others not. */
const counts = (names: readonly string[]) =>
  sql.join(
    names.map((name) => sql`sum(${sql.ref(name)}) <> 0`),
    sql` or `,
  )

export async function foldTallies({ db }: Scope, journeyId: number): Promise<void> {
  for (const table of TABLES) {
    const { keys, sums } = TALLIED[table]
    await sql`
      with gone as (delete from ${sql.table(table)} where journey_id = ${journeyId} returning *)
      insert into ${sql.table(table)} (tenant_id, ${named([...keys, ...sums])})
      select tenant_id, ${named(keys)}, ${summed(sums)} from gone
      group by tenant_id, ${named(keys)} having ${counts(sums)}`.execute(db)
  }
}

/** Recomputes the tallies of a journey from its facts; returns how many tallies and learners were wrong. */
export async function rederiveTallies({ db }: Pick<Scope, 'db'>, journeyId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update fact_learner l set ${sql.join(TOLD.map((name) => sql`${sql.ref(name)} = ${sql.ref(`told.${name}`)}`))}
    from (
      select member_id, min(due_at) filter (where is_counted) as first_due_at,
        max(due_at) filter (where is_counted) as last_due_at,
        ceil(extract(epoch from max(gap) filter (where is_counted)))::bigint as longest_gap,
        min(due_at) filter (where is_owed and closes_at is null) as owes_from,
        max(closes_at) filter (where is_owed) as owes_until
      from (select member_id, due_at, closes_at, is_counted,
          due_at - lag(due_at) over (partition by member_id, is_counted order by due_at) as gap,
          is_counted and required and completed_at is null and state in (${REACHED}) and left_at is null as is_owed
        from fact_occurrence where journey_id = ${journeyId}) f
      group by 1) told
    where l.member_id = told.member_id and (${of('l')}) is distinct from (${of('told')})`.execute(db)
  let wrong = Number(numAffectedRows ?? 0)
  for (const table of TABLES) wrong += await rederive(db, table, journeyId)
  return wrong
}

async function rederive(db: Scope['db'], name: (typeof TABLES)[number], journeyId: number): Promise<number> {
  const { of: facts, keys, sums, counted: columns, where } = TALLIED[name]
  const table = sql.table(name)
  const groups = sql.join(keys.map((_, index) => sql.lit(index + 1)))
  const counted = sql`select ${columns} from ${sql.table(facts)}
    where journey_id = ${journeyId} and ${where} group by ${groups}`
  const kept = sql`select ${named(keys)}, ${summed(sums)} from ${table}
    where journey_id = ${journeyId} group by ${groups} having ${counts(sums)}`
  const { rows } =
    await sql`((${counted}) except (${kept})) union all ((${kept}) except (${counted}))`.execute(db)
  if (rows.length === 0) return 0
  // Blocks concurrent tallying, which would be counted twice.
  await sql`lock table ${table} in share row exclusive mode`.execute(db)
  await sql`delete from ${table} where journey_id = ${journeyId}`.execute(db)
  await sql`insert into ${table} (tenant_id, ${named([...keys, ...sums])})
    select scope_tenant(), counted.* from (${counted}) counted`.execute(db)
  return rows.length
}
