/** Which turns are counted: those of learners who count, due by the as-of moment, in reach of the one who asks. */
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '#app/db/schema.ts'
import { may } from '#app/domain/access/permissions.ts'
import { maySeeAllJourneys } from '../access/journeys.ts'
import { forbidden } from '../errors.ts'
import type { Scope } from '../scope.server.ts'
import type { AnalyticsQuery } from './figures.ts'

export const asOf = (query: AnalyticsQuery): Date => (query.as_of ? new Date(query.as_of) : new Date())

export function selectFacts({ actor, db }: Scope, query: AnalyticsQuery, as_of: Date) {
  if (!may(actor, 'analytics:view')) throw forbidden()
  let facts = db
    .selectFrom('fact_occurrence as f')
    .where('f.exclude_data', '=', false)
    .where('f.due_at', '<=', as_of)
    .where('f.state', 'not in', ['cancelled', 'held'])
    .where((eb) => eb.or([eb('f.left_at', 'is', null), eb('f.left_at', '>', eb.ref('f.due_at'))]))
  if (!maySeeAllJourneys(actor))
    facts = facts.where('f.journey_id', 'in', (eb) =>
      eb.selectFrom('journeys as own').select('own.id').where('own.author_id', '=', actor.user_id),
    )
  if (query.journey) facts = facts.where('f.journey_id', '=', query.journey)
  if (query.user) facts = facts.where('f.user_id', '=', query.user)
  if (query.lift) facts = facts.where('f.lift_id', '=', query.lift)
  if (query.lift_id) facts = facts.where('f.lift_id', '=', query.lift_id)
  if (query.prompt_id) facts = facts.where((eb) => hasPrompt(eb, query.prompt_id ?? 0))
  if (query.lo_id) facts = facts.where((eb) => hasObjective(eb, query.lo_id ?? 0))
  if (query.from) facts = facts.where('f.due_at', '>=', new Date(`${query.from}T00:00:00Z`))
  if (query.to) facts = facts.where('f.due_at', '<', sql<Date>`${query.to}::date + 1`)
  return facts
}

type Facts = ExpressionBuilder<DB & { f: DB['fact_occurrence'] }, 'f'>

const hasPrompt = (eb: Facts, id: number) =>
  eb.exists(
    eb
      .selectFrom('prompts as p')
      .select('p.id')
      .whereRef('p.lift_id', '=', 'f.lift_id')
      .where('p.id', '=', id),
  )

const hasObjective = (eb: Facts, id: number) =>
  eb.exists(
    eb
      .selectFrom('lift_objectives as lo')
      .select('lo.lift_id')
      .whereRef('lo.lift_id', '=', 'f.lift_id')
      .where('lo.objective_id', '=', id),
  )

/** Everything is counted up to the as-of moment: what happened later has not happened yet. */
export function countColumns(as_of: Date) {
  const by = (column: string) => sql<SqlBool>`f.${sql.ref(column)} <= ${as_of}`
  const count = (condition: ReturnType<typeof by>) => sql<number>`count(*) filter (where ${condition})`
  const accepted = sql<SqlBool>`(f.delivery = 'accepted' and f.accepted_at <= ${as_of})`
  const ended = (delivery: string) => sql<SqlBool>`f.delivery = ${delivery}`
  return [
    sql<number>`count(*)`.as('assigned'),
    count(accepted).as('accepted'),
    count(ended('unknown')).as('unknown'),
    count(ended('suppressed')).as('suppressed'),
    count(ended('failed')).as('failed'),
    count(ended('expired')).as('expired'),
    count(sql<SqlBool>`f.delivery = 'pending' or (f.delivery = 'accepted' and f.accepted_at > ${as_of})`).as(
      'pending',
    ),
    count(by('delivered_at')).as('delivered'),
    count(by('opened_at')).as('opened'),
    count(by('responded_at')).as('responded'),
    count(by('completed_at')).as('completed'),
    count(sql<SqlBool>`${by('opened_at')} and ${by('delivered_at')}`).as('opened_and_delivered'),
  ] as const
}
