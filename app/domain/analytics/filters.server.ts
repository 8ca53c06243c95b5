/** Looks up what the filters of a report name. What the caller may not see is treated as missing. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { may } from '#app/domain/access/permissions.ts'
import { maySeeAllJourneys } from '../access/journeys.ts'
import { forbidden, notFound } from '../errors.ts'
import { askOnce, type Question } from '../scope/ask-once.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { nameOfLearner } from '../text/learner-name.server.ts'
import type { Choice } from './filter-choices.ts'
import { FILTER_NAMES, type FilterName } from './filter-names.ts'
import type { AnalyticsFilters } from './query.ts'

/** 404 for a filter whose subject does not exist, or is not visible to the caller. */
export async function requireSubjects(
  scope: Scope,
  query: AnalyticsFilters,
): Promise<Record<string, Choice>> {
  if (!may(scope.actor, 'analytics:view')) throw forbidden()
  if (namedIn(query).length === 0) return {}
  const subjects = await askOnce(scope, subjectsOf(scope, query), async () => {
    const { rows } = await selectSubjects(scope, query).execute(scope.db)
    return rows
  })
  return Object.fromEntries(
    subjects.map(({ name, id, label }) => {
      if (label === null) throw notFound()
      return [name, { id, name: label }]
    }),
  )
}

const namedIn = (query: AnalyticsFilters) =>
  FILTER_NAMES.flatMap((name) => {
    const id = query[name]
    return id === undefined ? [] : [{ name, id }]
  })

/** The key under which `askOnce` keeps the subjects. */
export const subjectsOf = ({ actor }: Scope, query: AnalyticsFilters): Question => [
  'subjects',
  maySeeAllJourneys(actor),
  namedIn(query),
]

export type Subject = { name: FilterName; id: number; label: string | null }

export function selectSubjects(scope: Scope, query: AnalyticsFilters): RawBuilder<Subject> {
  const subjects = namedIn(query).map(
    ({ name, id }) =>
      sql`select ${name}::text as name, ${id}::bigint as id, (${LABELS[name](scope, id)}) as label`,
  )
  return sql`${subjects.length > 0 ? sql.join(subjects, sql` union all `) : sql`select limit 0`}`
}

export const inReach = ({ actor }: Scope) =>
  maySeeAllJourneys(actor) ? sql<SqlBool>`true` : sql<SqlBool>`j.author_id = ${actor.user_id}`

type Label = (scope: Scope, id: number) => RawBuilder<unknown>
const lift: Label = (scope, id) =>
  sql`select l.title from lifts l join journeys j on j.id = l.journey_id where l.id = ${id} and ${inReach(scope)}`

const LABELS: Record<FilterName, Label> = {
  journey: (scope, id) => sql`select j.name from journeys j where j.id = ${id} and ${inReach(scope)}`,
  lift,
  lift_id: lift,
  prompt_id: (scope, id) => sql`select p.text from prompts p join lifts l on l.id = p.lift_id
    join journeys j on j.id = l.journey_id where p.id = ${id} and ${inReach(scope)}`,
  lo_id: (scope, id) => sql`select trim(lo.code || ' ' || lo.text) from learning_objectives lo
    join journeys j on j.id = lo.journey_id where lo.id = ${id} and ${inReach(scope)}`,
  user: (
    scope,
    id,
  ) => sql`select ${nameOfLearner} from (select ${id}::bigint as id) one left join users u on u.id = one.id
    where (u.id is not null and ${maySeeAllJourneys(scope.actor)}) or exists (select from members m
      join journeys j on j.id = m.journey_id where m.user_id = one.id and m.role = 'learner' and ${inReach(scope)})`,
}

export async function countAssessmentItems({ db }: Scope, objective: number): Promise<number> {
  const { many } = await db
    .selectFrom('assessment_items')
    .select(sql<number>`count(*)`.as('many'))
    .where('objective_id', '=', objective)
    .executeTakeFirstOrThrow()
  return many
}
