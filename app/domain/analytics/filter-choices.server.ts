/** The choices for the filters of a report, in one statement. */
import { type RawBuilder, sql } from 'kysely'
import { type StoredJourney, selectJourneys, storedJourney } from '../journeys/rows.server.ts'
import { remember } from '../scope/ask-once.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { nameOfLearner } from '../text/learner-name.server.ts'
import type { FilterChoices } from './filter-choices.ts'
import { inReach, requireSubjects, type Subject, selectSubjects, subjectsOf } from './filters.server.ts'
import { dayAfter, endOf, isDay, REPORT_ZONE, startOf } from './population.server.ts'
import type { AnalyticsFilters } from './query.ts'
import { rowsAsJson } from './rows-as-json.server.ts'

const MAX_CHOICES = 200
const MAX_JOURNEYS = 500

/** Lifts, people and objectives are offered once their journey is chosen, questions once their lift is. */
export async function readFilterChoices(scope: Scope, query: AnalyticsFilters): Promise<FilterChoices> {
  const { journey } = query
  const lift = query.lift ?? query.lift_id
  const day = query.as_of && isDay(query.as_of) ? query.as_of : null
  const { rows } = await sql<Row>`
    select to_char(scope_now() at time zone ${REPORT_ZONE}, 'YYYY-MM-DD') as today,
      ${rowsAsJson(sql`select j.id, j.name, j.status from journeys j where ${inReach(scope)}
        order by lower(j.name), j.id limit ${MAX_JOURNEYS}`)} as journeys,
      ${choicesOf(
        journey &&
          sql`select m.user_id as id, ${nameOfLearner} as name from members m left join users u on u.id = m.user_id
            where m.journey_id = ${journey} and m.role = 'learner'
            order by lower(u.last_name), lower(u.first_name), m.user_id`,
      )} as learners,
      ${choicesOf(
        journey &&
          sql`select id, title as name from lifts where journey_id = ${journey} order by position, id`,
      )} as lifts,
      ${choicesOf(
        journey &&
          sql`select id, trim(code || ' ' || text) as name from learning_objectives
            where journey_id = ${journey} order by position, id`,
      )} as objectives,
      ${choicesOf(
        lift && sql`select id, text as name from prompts where lift_id = ${lift} order by position, id`,
      )} as prompts,
      ${rowsAsJson(selectSubjects(scope, query))} as subjects, ${day && startOf(dayAfter(day))} as end, stored.*
    from (select) one left join (${selectJourneys(scope).where('j.id', '=', journey ?? null)}) stored on true`.execute(
    scope.db,
  )
  const [row] = rows
  if (!row) throw new Error('A left join of one row has one')
  const { today, journeys, learners, lifts, objectives, prompts, subjects, end, ...stored } = row
  remember(scope, subjectsOf(scope, query), subjects)
  if (day && end) remember(scope, endOf(day), end)
  if (journey) remember(scope, storedJourney(journey), stored.id === null ? undefined : stored)
  const chosen = await requireSubjects(scope, query)
  return { today, journeys, learners, lifts, objectives, prompts, chosen }
}

/** With what the report asks for next: the subjects of the query, the end of its day, and its journey. */
type Row = Omit<FilterChoices, 'chosen'> & { subjects: Subject[]; end: Date | null } & (
    | StoredJourney
    | { id: null }
  )

/** Reads one more than is offered, to know whether there are more. */
const choicesOf = (choices: RawBuilder<unknown> | 0 | undefined) =>
  choices
    ? sql`(select jsonb_build_object('data', coalesce(jsonb_agg(to_jsonb(one) - 'place' order by place)
          filter (where place <= ${MAX_CHOICES}), '[]'), 'has_more', count(*) > ${MAX_CHOICES})
        from (select *, row_number() over () as place from (${choices} limit ${MAX_CHOICES + 1}) offered) one)`
    : sql`jsonb_build_object('data', '[]'::jsonb, 'has_more', false)`
