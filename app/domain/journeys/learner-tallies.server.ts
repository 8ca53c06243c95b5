/** How many people of a whole tenant learn: in a sum per quarter of an hour, but for those of whom it has just changed. */
import { sql } from 'kysely'
import { takeTurns } from '../scope/advisory-lock.server.ts'
import type { Scope } from '../scope/scope.server.ts'

const FOLDING = 'fold-learners'
/** As many as a statement folds long before its time is over, also on a busy machine. */
const AT_ONCE = 25_000

/**
 * Puts people whose first lift has changed into the sums, and returns whether there may be more. In one statement, which
 * sees of each change all or nothing; while another folds, it does nothing. Tenant-wide.
 */
export async function foldLearners({ db }: Pick<Scope, 'db'>): Promise<boolean> {
  const { rows } = await sql<{ is_mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(scope_tenant()::text || ${FOLDING}, 0)) as is_mine`.execute(
    db,
  )
  if (!rows[0]?.is_mine) return false
  const { rows: folded } = await sql<{ changes: number }>`
    with gone as (
      delete from fact_user_changes where tenant_id = scope_tenant() and id = any(array(
        select id from fact_user_changes order by id limit ${AT_ONCE})) returning user_id
    ),
    told as (
      select user_id, (select min(first_due_at) from fact_learner p where p.user_id = people.user_id) as first_due_at,
        (select first_due_at from fact_user f where f.user_id = people.user_id) as was
      from (select distinct user_id from gone) people
    ), changed as (
      select * from told where first_due_at is distinct from was
    ), removed as (
      delete from fact_user f using changed c where f.user_id = c.user_id and c.first_due_at is null
    ), written as (
      insert into fact_user (tenant_id, user_id, first_due_at)
      select scope_tenant(), user_id, first_due_at from changed where first_due_at is not null
      on conflict (tenant_id, user_id) do update set first_due_at = excluded.first_due_at
    ), moved as (
      select quarter_of(first_due_at) as begun_from, 1 as many from changed
      union all select quarter_of(was), -1 from changed
    ), replaced as (
      delete from learner_tallies where journey_id is null and begun_from in (select begun_from from moved)
      returning begun_from, many
    ), summed as (
      insert into learner_tallies (tenant_id, begun_from, many)
      select scope_tenant(), begun_from, sum(many) from (table moved union all table replaced) m
      where begun_from is not null group by 2 having sum(many) <> 0
    )
    select count(*) as changes from gone`.execute(db)
  return folded[0]?.changes === AT_ONCE
}

/** Recomputes them from what is known of each learner; returns how many people and sums were wrong. */
export async function rederiveLearners(scope: Pick<Scope, 'db'>): Promise<number> {
  const { db } = scope
  await takeTurns(scope, FOLDING)
  const { numAffectedRows } = await sql`
    insert into fact_user_changes (tenant_id, user_id)
    select scope_tenant(), user_id from fact_user kept full join (
      select user_id, min(first_due_at) as first_due_at from fact_learner where first_due_at is not null group by 1) told
      using (user_id)
    where told.first_due_at is distinct from kept.first_due_at
      and user_id not in (select user_id from fact_user_changes)`.execute(db)
  while (await foldLearners(scope));
  const { rows } = await sql`
    with counted as (select quarter_of(first_due_at) as begun_from, count(*) as many from fact_user group by 1),
    kept as (select begun_from, sum(many) as many from learner_tallies where journey_id is null group by 1),
    wrong as (select begun_from, counted.many from counted full join kept using (begun_from)
      where counted.many is distinct from kept.many),
    removed as (delete from learner_tallies where journey_id is null and begun_from in (select begun_from from wrong)),
    written as (insert into learner_tallies (tenant_id, begun_from, many)
      select scope_tenant(), begun_from, many from wrong where many is not null)
    select from wrong`.execute(db)
  return Number(numAffectedRows ?? 0) + rows.length
}
