/** Running journeys, drafts, and the first steps of a company, in one statement. */
import { type RawBuilder, sql } from 'kysely'
import { may } from '../access/permissions.ts'
import { plannedByReach } from '../journeys/planned-by-reach.server.ts'
import { type Scope, scopeUser } from '../scope/scope.server.ts'
import { FIRST_STEPS, type Today, type Work } from './today.ts'

const SHOWN = sql.lit(5)
type Lists = Pick<Work, 'running' | 'running_total' | 'drafts' | 'drafts_total'>
type Row = Lists & { takes_part: boolean; done: Record<(typeof FIRST_STEPS)[number], boolean> }

const tiles = (ordered: RawBuilder<unknown>) => sql`coalesce((select jsonb_agg(jsonb_build_object('id', id,
  'name', name, 'status', status, 'lifts', lift_count, 'learners', learner_count) order by rank)
  from (select *, row_number() over () as rank from (${ordered} limit ${SHOWN}) first) shown), '[]')`

const readRow = plannedByReach((seesAll) => {
  const mine = seesAll ? sql`true` : sql`author_id = ${scopeUser}`
  return sql<Row>`
    with own as (select id, name, status, lift_count, learner_count, updated_on from journeys
      where status in ('active', 'paused', 'scheduled', 'draft') and ${mine})
    select ${tiles(sql`select * from own where status <> 'draft' order by status, id desc`)} as running,
      (select count(*) from own where status <> 'draft') as running_total,
      ${tiles(sql`select * from own where status = 'draft' order by updated_on desc, id desc`)} as drafts,
      (select count(*) from own where status = 'draft') as drafts_total,
      exists (select from scope_own_members()) as takes_part,
      jsonb_build_object(
        'people', exists (select from user_general_roles where role <> 'admin'),
        'journey', exists (select from journeys),
        'lift', exists (select from lifts where status = 'ready'),
        'learners', exists (select from members where role = 'learner' and state <> 'withdrawn'),
        'launch', exists (select from journeys where launched_at is not null),
        'answer', exists (select from responses)) as done`
})

/**
 * The step `people` is done by the first person who is more than an administrator: a company begins with several of
 * these. Drafts are all of the company's for people who may edit them all, otherwise the actor's own. `takes_part`: in any journey of any
 * sub-tenant.
 */
export async function readLists(
  scope: Scope,
): Promise<Pick<Row, 'takes_part'> & Pick<Today, 'first_steps'> & { lists: Lists }> {
  const [row] = await readRow(scope)
  if (!row) throw new Error('A statement without a from has one row')
  const { done, takes_part, ...lists } = row
  const isTheirs = may(scope.actor, 'company:edit') && FIRST_STEPS.some((step) => !done[step])
  return {
    lists,
    takes_part,
    first_steps: isTheirs ? FIRST_STEPS.map((step) => ({ step, is_done: done[step] })) : null,
  }
}
