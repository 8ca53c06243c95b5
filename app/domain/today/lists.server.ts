/** Running journeys, drafts, and the first steps of a company, in one statement. */
import { type RawBuilder, sql } from 'kysely'
import { may } from '../access/permissions.ts'
import { plannedByReach } from '../journeys/planned-by-reach.server.ts'
import { type Scope, scopeUser } from '../scope/scope.server.ts'
import { FIRST_STEPS, MAX_COUNTED, type Today, type Work } from './today.ts'

const SHOWN = sql.lit(5)
type Lists = Pick<Work, 'running' | 'running_total' | 'drafts' | 'drafts_total'>
type Row = Lists & { takes_part: boolean; done: Record<(typeof FIRST_STEPS)[number], boolean> }

const COUNTED = sql.lit(MAX_COUNTED + 1)

const tiles = (ordered: RawBuilder<unknown>) => sql`coalesce((select jsonb_agg(jsonb_build_object('id', id,
  'name', name, 'status', status, 'lifts', lift_count, 'learners', learner_count) order by rank)
  from (select *, row_number() over () as rank from (${ordered} limit ${SHOWN}) first) shown), '[]')`

/** The first of each status along its index, and then of these. */
const inOrderOfStatus = (mine: RawBuilder<unknown>) => sql`select one.*
  from unnest(${RUNNING}) running (status) cross join lateral (select * from journeys j
    where j.status = running.status and ${mine} order by j.id desc limit ${SHOWN}) one
  order by one.status, one.id desc`

const RUNNING = sql`'{active,paused,scheduled}'::text[]`
const DRAFTS = sql`'{draft}'::text[]`

/** By an index alone where the actor sees all; null inside a sub-tenant. */
const countOf = (statuses: RawBuilder<unknown>, seesAll: boolean, mine: RawBuilder<unknown>) => {
  const counted = sql`(select count(*)::int from (select from journeys
    where status = any(${statuses}) and ${mine} limit ${COUNTED}) counted)`
  return seesAll ? sql`coalesce(count_journeys(${COUNTED}, ${statuses}), ${counted})` : counted
}

const readRow = plannedByReach((seesAll) => {
  const mine = seesAll ? sql`true` : sql`author_id = ${scopeUser}`
  return sql<Row>`
    select ${tiles(inOrderOfStatus(mine))} as running,
      ${countOf(RUNNING, seesAll, mine)} as running_total,
      ${tiles(sql`select * from journeys where status = 'draft' and ${mine} order by updated_on desc, id desc`)} as drafts,
      ${countOf(DRAFTS, seesAll, mine)} as drafts_total,
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
