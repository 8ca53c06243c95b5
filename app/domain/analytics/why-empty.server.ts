/** Why a report counts nothing, in one true sentence. */
import { type SqlBool, sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'
import { formatDate } from '../text/date-format.ts'
import type { Overview } from './figures.ts'
import { REPORT_ZONE, selectMatching } from './population.server.ts'
import type { AnalyticsFilters } from './query.ts'

type Emptiness = Pick<Overview, 'why_empty' | 'is_contradictory'>

export async function emptinessOf(scope: Scope, query: AnalyticsFilters, as_of: Date): Promise<Emptiness> {
  const why = await contradiction(scope, query)
  return { why_empty: why ?? (await whyEmpty(scope, query, as_of)), is_contradictory: why !== null }
}

async function whyEmpty(scope: Scope, query: AnalyticsFilters, as_of: Date): Promise<string> {
  if (query.from && query.to && query.from > query.to)
    return 'The first day is after the last one, so no day is left.'
  if (query.from && query.as_of && query.as_of.slice(0, 10) < query.from)
    return 'The figures are as of a day before the first one, so no day is left.'
  return (await leftOut(scope, query, as_of)) ?? (await notYet(scope, query, as_of))
}

/** Two filters that no lift can match together. */
async function contradiction({ db }: Scope, query: AnalyticsFilters): Promise<string | null> {
  const { journey = null, user = null, lo_id = null, prompt_id = null } = query
  const lift = query.lift ?? query.lift_id ?? null
  if (query.lift && query.lift_id && query.lift !== query.lift_id)
    return 'Two different lifts are chosen; nothing belongs to both.'
  const { rows } = await sql<
    Record<'lift' | 'prompt' | 'objective' | 'other_objective' | 'learner', boolean>
  >`
    select
      exists (select from lifts where id = ${lift} and journey_id <> ${journey}) as lift,
      exists (select from prompts p join lifts l on l.id = p.lift_id where p.id = ${prompt_id}
        and (l.id <> ${lift} or l.journey_id <> ${journey})) as prompt,
      exists (select from learning_objectives where id = ${lo_id} and journey_id <> ${journey}) as objective,
      ${lo_id}::bigint is not null
        and not exists (select from lift_objectives where objective_id = ${lo_id})
        and not exists (select from prompt_objectives where objective_id = ${lo_id}) as other_objective,
      ${user}::bigint is not null and not exists (select from members m where m.user_id = ${user} and m.role = 'learner'
        and (${journey}::bigint is null or m.journey_id = ${journey})) as learner`.execute(db)
  const [is] = rows
  if (is?.lift) return 'This lift belongs to another journey.'
  if (is?.prompt) return 'This question belongs to another lift.'
  if (is?.objective) return 'This objective belongs to another journey.'
  if (is?.other_objective) return 'No lift and no question is tagged with this objective.'
  if (is?.learner)
    return journey
      ? 'This person is not a learner of this journey.'
      : 'This person is not a learner of any journey.'
  return null
}

/** Occurrences were due, but none of them is counted. */
async function leftOut(scope: Scope, query: AnalyticsFilters, as_of: Date): Promise<string | null> {
  const row = await selectMatching(scope, query, as_of)
    .select([
      many(sql`true`).as('all'),
      many(sql`f.exclude_data`).as('excluded'),
      many(sql`f.state = 'held'`).as('held'),
    ])
    .executeTakeFirstOrThrow()
  if (row.all === 0) return null
  if (row.excluded === row.all) return 'Everyone who matches is excluded from analytics.'
  if (row.held > 0) return 'What was due is on hold, so it is not counted.'
  return 'What was due is canceled, or its learners had left before.'
}

const many = (condition: ReturnType<typeof sql>) =>
  sql<number>`count(*) filter (where ${condition as ReturnType<typeof sql<SqlBool>>})`

async function notYet(scope: Scope, query: AnalyticsFilters, as_of: Date): Promise<string> {
  const { journey = null } = query
  const { rows } = await sql<{
    status: string | null
    launched_at: Date | null
    next: Date | null
    zone: string
  }>`
    select j.status, j.launched_at, (select min(o.due_at) from occurrences o where o.journey_id = ${journey}
      and o.due_at > ${as_of} and o.state <> 'cancelled') as next, ${REPORT_ZONE} as zone
    from (select) as one left join journeys j on j.id = ${journey}`.execute(scope.db)
  const [found] = rows
  const day = (at: Date) => formatDate(at, { dateStyle: 'medium', timeZone: found?.zone ?? 'UTC' })
  const isNarrowed = Boolean(
    query.user ?? query.lift ?? query.lift_id ?? query.prompt_id ?? query.lo_id ?? query.from ?? query.to,
  )
  if (found?.status && !found.launched_at) return 'This journey has not been launched yet.'
  if (found?.launched_at && found.launched_at > as_of)
    return `This journey was launched on ${day(found.launched_at)}, after the day that is shown.`
  if (isNarrowed) return 'Nothing that matches these filters was due.'
  if (found?.next) return `Nothing was due yet. The next lift is due on ${day(found.next)}.`
  return journey
    ? 'Nothing of this journey was due.'
    : 'Nothing was due yet. Figures appear with the first lift that is sent.'
}
