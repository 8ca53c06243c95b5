/** Which occurrences are counted: those of learners who count, due by the as-of moment, and visible to the caller. */
import { type SqlBool, sql } from 'kysely'
import { may } from '#app/domain/access/permissions.ts'
import { maySeeAllJourneys } from '../access/journeys.ts'
import { forbidden } from '../errors.ts'
import { askOnce, type Question } from '../scope/ask-once.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { AnalyticsFilters } from './query.ts'

/** Reports use the days and weeks of the company's time zone, or of the current sub-tenant's. */
export const REPORT_ZONE = sql<string>`(select coalesce(
  (select s.timezone from sub_tenants s where s.tenant_id = scope_tenant() and s.id = scope_sub_tenant()),
  (select t.timezone from tenants t where t.id = scope_tenant())))`

/** A page uses one moment for all figures; up to this long afterwards it still counts as now. */
const NOW_MS = 10_000

export const isNow = (scope: Pick<Scope, 'db'>, as_of: Date): boolean =>
  nowIn(scope).getTime() - as_of.getTime() <= NOW_MS

/** The as-of moment: a given one, or the end of a day, but never later than now. */
export async function asOf(scope: Scope, { as_of }: Pick<AnalyticsFilters, 'as_of'>): Promise<Date> {
  const now = nowIn(scope)
  if (as_of === undefined) return now
  const asked = isDay(as_of)
    ? await askOnce(scope, endOf(as_of), () => readEnd(scope, as_of))
    : new Date(as_of)
  return new Date(Math.min(asked.getTime(), now.getTime()))
}

export const isDay = (as_of: string): boolean => !as_of.includes('T')

/** The key under which `askOnce` keeps the end of a day. */
export const endOf = (day: string): Question => ['end of day', day]

async function readEnd(scope: Scope, day: string): Promise<Date> {
  const { rows } = await sql<{ end: Date }>`select ${startOf(dayAfter(day))} as end`.execute(scope.db)
  return rows[0]?.end ?? nowIn(scope)
}

export const dayAfter = (day: string) => sql`${day}::date + 1`

export function selectMatching({ actor, db }: Scope, query: AnalyticsFilters, as_of: Date) {
  if (!may(actor, 'analytics:view')) throw forbidden()
  let facts = db.selectFrom('fact_occurrence as f').where('f.due_at', '<=', as_of)
  if (!maySeeAllJourneys(actor))
    facts = facts.where('f.journey_id', 'in', (eb) =>
      eb.selectFrom('journeys as own').select('own.id').where('own.author_id', '=', actor.user_id),
    )
  if (query.journey) facts = facts.where('f.journey_id', '=', query.journey)
  if (query.user)
    facts = facts
      .where('f.user_id', '=', query.user)
      .where(isOneOf('f.member_id', sql`select member_id from fact_learner where user_id = ${query.user}`))
  if (query.lift) facts = facts.where('f.lift_id', '=', query.lift)
  if (query.lift_id) facts = facts.where('f.lift_id', '=', query.lift_id)
  if (query.prompt_id)
    facts = facts
      .where('f.lift_id', '=', (eb) =>
        eb
          .selectFrom('prompts')
          .select('lift_id')
          .where('id', '=', query.prompt_id ?? 0),
      )
      .where(shows(sql`${query.prompt_id}::bigint`))
  if (query.lo_id)
    facts = facts.where(isOneOf('f.lift_id', liftsWith(query.lo_id))).where(isAbout(query.lo_id))
  if (query.from) facts = facts.where('f.due_at', '>=', startOf(sql`${query.from}::date`))
  if (query.to) facts = facts.where('f.due_at', '<', startOf(sql`${query.to}::date + 1`))
  return facts
}

/** As an array found first, by its index: with a join or `in`, PostgreSQL would scan all facts. */
const isOneOf = (column: string, found: ReturnType<typeof sql>) =>
  sql<SqlBool>`${sql.ref(column)} = any(array(${found}))`

export const selectFacts = (scope: Scope, query: AnalyticsFilters, as_of: Date) =>
  selectMatching(scope, query, as_of).where('f.is_counted', '=', true)

export const startOf = (day: ReturnType<typeof sql>) =>
  sql<Date>`((${day})::timestamp at time zone ${REPORT_ZONE})`

/** The questions in the version of the lift that the learner got. */
export const ASKED_PROMPTS = sql<unknown>`(select v.content -> 'prompts' from occurrences o
  join lift_versions v on v.tenant_id = o.tenant_id and v.lift_id = o.lift_id and v.version = o.content_version
  where o.tenant_id = f.tenant_id and o.id = f.occurrence_id)`

const shows = (prompt: ReturnType<typeof sql>) =>
  sql<SqlBool>`${ASKED_PROMPTS} @> jsonb_build_array(jsonb_build_object('id', ${prompt}))`

/** Lifts that could be about the objective, in any version. */
const liftsWith = (objective: number) =>
  sql`select lift_id from lift_objectives where objective_id = ${objective}
    union select p.lift_id from prompts p join prompt_objectives po on po.tenant_id = p.tenant_id and po.prompt_id = p.id
    where po.objective_id = ${objective}`

/** The lift is tagged with the objective, or one of its questions is. */
const isAbout = (objective: number) =>
  sql<SqlBool>`(exists (select from lift_objectives lo where lo.tenant_id = f.tenant_id and lo.lift_id = f.lift_id
      and lo.objective_id = ${objective})
    or exists (select from prompts p join prompt_objectives po on po.tenant_id = p.tenant_id and po.prompt_id = p.id
      where p.tenant_id = f.tenant_id and p.lift_id = f.lift_id and po.objective_id = ${objective}
      and ${shows(sql`p.id`)}))`

export const respondedAt = ({ prompt_id }: Pick<AnalyticsFilters, 'prompt_id'>) =>
  prompt_id
    ? sql<Date | null>`(select min(r.submitted_at) from responses r where r.tenant_id = f.tenant_id
        and r.member_id = f.member_id and r.prompt_id = ${prompt_id})`
    : sql<Date | null>`f.responded_at`

/** What became of an occurrence by the as-of moment: what happened later has not happened yet. */
export function conditionsAt(as_of: Date, query: Pick<AnalyticsFilters, 'prompt_id'>) {
  const by = (column: string) => sql<SqlBool>`f.${sql.ref(column)} <= ${as_of}`
  const ended = (delivery: string) => sql<SqlBool>`f.delivery = ${delivery}`
  return {
    accepted: sql<SqlBool>`(f.delivery = 'accepted' and f.accepted_at <= ${as_of})`,
    unknown: ended('unknown'),
    suppressed: ended('suppressed'),
    failed: ended('failed'),
    expired: ended('expired'),
    pending: sql<SqlBool>`(f.delivery = 'pending' or (f.delivery = 'accepted' and f.accepted_at > ${as_of}))`,
    delivered: by('delivered_at'),
    opened: by('opened_at'),
    asked: sql<SqlBool>`f.asks`,
    responded: sql<SqlBool>`(f.asks and ${respondedAt(query)} <= ${as_of})`,
    completed: by('completed_at'),
    opened_and_delivered: sql<SqlBool>`(${by('opened_at')} and ${by('delivered_at')})`,
  }
}

export function countColumns(as_of: Date, query: Pick<AnalyticsFilters, 'prompt_id'>) {
  const is = conditionsAt(as_of, query)
  const count = (condition: ReturnType<typeof sql<SqlBool>>) =>
    sql<number>`count(*) filter (where ${condition})`
  return [
    sql<number>`count(*)`.as('assigned'),
    count(is.accepted).as('accepted'),
    count(is.unknown).as('unknown'),
    count(is.suppressed).as('suppressed'),
    count(is.failed).as('failed'),
    count(is.expired).as('expired'),
    count(is.pending).as('pending'),
    count(is.delivered).as('delivered'),
    count(is.opened).as('opened'),
    count(is.asked).as('asked'),
    count(is.responded).as('responded'),
    count(is.completed).as('completed'),
    count(is.opened_and_delivered).as('opened_and_delivered'),
  ] as const
}
