/** What the lifts of a journey have come to, by the quarter of an hour they were due: changes, summed when they are many. */
import { sql } from 'kysely'
import type { Scope } from '../scope.server.ts'

const SUMMED = [
  ...['assigned', 'asked', 'accepted', 'unknown', 'suppressed', 'failed', 'expired', 'pending', 'delivered'],
  ...['opened', 'opened_and_delivered', 'responded', 'answered', 'completed'],
]
const columns = sql.join(SUMMED.map((name) => sql.ref(name)))
const sums = sql.join(SUMMED.map((name) => sql`sum(${sql.ref(name)})`))

export async function foldTallies({ db }: Scope, journeyId: number): Promise<void> {
  await sql`
    with gone as (delete from lift_tallies where journey_id = ${journeyId} returning *)
    insert into lift_tallies (tenant_id, journey_id, lift_id, due_from, is_counted, ${columns})
    select tenant_id, journey_id, lift_id, due_from, is_counted, ${sums}
    from gone group by 1, 2, 3, 4, 5 having sum(assigned) <> 0`.execute(db)
}

/** Of each column what a fact adds to it. */
const COUNTED = sql`count(*) as assigned, count(*) filter (where asks) as asked, count(accepted_at) as accepted,
  count(*) filter (where delivery = 'unknown') as unknown, count(*) filter (where delivery = 'suppressed') as suppressed,
  count(*) filter (where delivery = 'failed') as failed, count(*) filter (where delivery = 'expired') as expired,
  count(*) filter (where delivery = 'pending') as pending, count(delivered_at) as delivered, count(opened_at) as opened,
  count(opened_at) filter (where delivered_at is not null) as opened_and_delivered, count(responded_at) as responded,
  count(responded_at) filter (where asks) as answered, count(completed_at) as completed`

/** Sums up the facts of a journey again; returns how many sums, and learners, were not what they should be. */
export async function rederiveTallies({ db }: Pick<Scope, 'db'>, journeyId: number): Promise<number> {
  const counted = sql`select journey_id, lift_id, quarter_of(due_at) as due_from, is_counted, ${COUNTED}
    from fact_occurrence where journey_id = ${journeyId} and state not in ('cancelled', 'held') group by 1, 2, 3, 4`
  const kept = sql`select journey_id, lift_id, due_from, is_counted, ${sums} from lift_tallies
    where journey_id = ${journeyId} group by 1, 2, 3, 4 having sum(assigned) <> 0`
  const { rows } =
    await sql`((${counted}) except (${kept})) union all ((${kept}) except (${counted}))`.execute(db)
  if (rows.length > 0) {
    // What is tallied meanwhile waits, and is not counted twice.
    await sql`lock table lift_tallies in share row exclusive mode`.execute(db)
    await sql`delete from lift_tallies where journey_id = ${journeyId}`.execute(db)
    await sql`insert into lift_tallies (tenant_id, journey_id, lift_id, due_from, is_counted, ${columns})
      select scope_tenant(), counted.* from (${counted}) counted`.execute(db)
  }
  const { numAffectedRows } = await sql`
    update fact_learner l set first_due_at = f.first_due_at
    from (select member_id, min(due_at) filter (where is_counted) as first_due_at from fact_occurrence
      where journey_id = ${journeyId} group by 1) f
    where l.member_id = f.member_id and l.first_due_at is distinct from f.first_due_at`.execute(db)
  return rows.length + Number(numAffectedRows ?? 0)
}
