/** Objectives in figures: the learners' scores before and after, given by themselves and by their sponsors. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { may } from '#app/domain/access/permissions.ts'
import { maySeeAllJourneys } from '../../access/journeys.ts'
import { type Answers, StoredAnswers, scoreOf } from '../../assessments/answer.ts'
import type { AssessmentItem, Phase } from '../../assessments/assessment.ts'
import { forbidden, notFound } from '../../errors.ts'
import { offsetOf, paginate } from '../../page.ts'
import { nowIn } from '../../scope/clock.server.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { rowsAsJson } from '../rows-as-json.server.ts'
import type { AssessmentFigures, AssessmentFiguresQuery, ObjectiveFigures } from './assessment-figures.ts'
import { compareInFives, type Scored } from './in-fives.ts'

export async function listAssessmentFigures(
  scope: Scope,
  query: AssessmentFiguresQuery,
): Promise<AssessmentFigures> {
  if (!may(scope.actor, 'analytics:view')) throw forbidden()
  const as_of = query.as_of ? new Date(query.as_of) : nowIn(scope)
  await requireThere(scope, query)
  const { objectives, total } = await readObjectives(scope, query)
  const said = await readSaid(scope, [...new Set(objectives.map((one) => one.journey_id))], as_of)
  return {
    as_of: as_of.toISOString(),
    data: objectives.map((objective) => figuresOf(objective, said.get(objective.journey_id) ?? new Map())),
    pagination: paginate(total, query),
  }
}

const inReach = ({ actor }: Scope) =>
  maySeeAllJourneys(actor) ? sql<SqlBool>`true` : sql<SqlBool>`j.author_id = ${actor.user_id}`

async function requireThere(scope: Scope, { journey, lo_id }: AssessmentFiguresQuery): Promise<void> {
  if (journey === undefined && lo_id === undefined) return
  const { rows } = await sql`
    select j.id from journeys j where ${inReach(scope)}
      and (${journey ?? null}::bigint is null or j.id = ${journey ?? null}::bigint)
      and (${lo_id ?? null}::bigint is null
        or exists (select from learning_objectives lo where lo.journey_id = j.id and lo.id = ${lo_id ?? null}::bigint))
    limit 1`.execute(scope.db)
  if (rows.length === 0) throw notFound()
}

type Change = 'self_change' | 'sponsor_change' | 'gap_before' | 'gap_after'
type Asked = AssessmentItem & { assessment_id: number }
type Objective = Omit<ObjectiveFigures, Change> & { items: Asked[] }

/** The objectives that assessments ask about, with the items that do. */
async function readObjectives(scope: Scope, query: AssessmentFiguresQuery) {
  const asked = askedObjectives(scope, query)
  const { rows } = await sql<Objective & { total: number }>`
    select lo.id as objective_id, lo.code, lo.text, lo.target_level, j.id as journey_id, j.name as journey,
      (select count(*) from members m where m.tenant_id = j.tenant_id and m.journey_id = j.id and m.role = 'learner'
        and not m.exclude_data and (m.state <> 'withdrawn' or exists (select from assessment_forms f
          where f.tenant_id = m.tenant_id and f.subject_id = m.id and f.state = 'submitted'))) as learners,
      ${rowsAsJson(sql<Asked>`select i.* from assessment_items i where i.tenant_id = lo.tenant_id
        and i.objective_id = lo.id order by i.position, i.id`)} as items,
      count(*) over () as total
    from ${asked} order by lower(j.name), j.id, lo.position, lo.id
    limit ${query.per_page} offset ${offsetOf(query)}`.execute(scope.db)
  // An empty page carries no total.
  const total = rows[0]?.total ?? (await count(scope, asked))
  return { objectives: rows.map(({ total: _, ...row }) => row), total }
}

const askedObjectives = (scope: Scope, { journey, lo_id }: AssessmentFiguresQuery) =>
  sql`learning_objectives lo join journeys j on j.tenant_id = lo.tenant_id and j.id = lo.journey_id
    where ${inReach(scope)} and exists (select from assessment_items i where i.tenant_id = lo.tenant_id
        and i.objective_id = lo.id)
      and (${journey ?? null}::bigint is null or j.id = ${journey ?? null}::bigint)
      and (${lo_id ?? null}::bigint is null or lo.id = ${lo_id ?? null}::bigint)`

async function count({ db }: Scope, asked: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${asked}`.execute(db)
  return rows[0]?.total ?? 0
}

type Rater = 'self' | 'sponsor'
type Form = {
  journey_id: number
  assessment_id: number
  phase: Phase
  subject_id: number
  rater: Rater
  answers: unknown
  submitted_at: Date
  is_counted: boolean
}
/** One rater's answers about one learner in all assessments of a phase. */
type Said = Omit<Scored, 'score'> & { subject_id: number; assessments: number[]; answers: Answers }
/** The answers of a journey, by phase and rater. */
type Sayings = ReadonlyMap<string, Said[]>

const sayingOf = ({ phase, rater }: Pick<Form, 'phase' | 'rater'>) => `${phase} ${rater}`

/** Reads each form once, however many objectives there are. */
async function readSaid(
  scope: Scope,
  journeyIds: readonly number[],
  as_of: Date,
): Promise<Map<number, Sayings>> {
  const { rows } = await sql<Form>`
    select f.journey_id, f.assessment_id, a.phase, f.subject_id, f.rater, f.answers, f.submitted_at,
      not m.exclude_data and m.role = 'learner' as is_counted
    from assessment_forms f
      join assessments a on a.tenant_id = f.tenant_id and a.id = f.assessment_id
      join members m on m.tenant_id = f.tenant_id and m.id = f.subject_id
    where f.journey_id = any(${journeyIds}::bigint[]) and f.rater <> 'peers' and a.phase <> 'follow_up'
      and f.state = 'submitted' and f.submitted_at <= ${as_of}
    order by f.submitted_at, f.id`.execute(scope.db)
  const journeys = Map.groupBy(rows, (row) => row.journey_id)
  return new Map([...journeys].map(([id, forms]) => [id, sayingsOf(forms)]))
}

function sayingsOf(forms: readonly Form[]): Sayings {
  const sayings = new Map<string, Map<number, Said>>()
  for (const form of forms) {
    const { subject_id, submitted_at: at, is_counted } = form
    const learners = sayings.get(sayingOf(form)) ?? new Map<number, Said>()
    const before = learners.get(subject_id) ?? { subject_id, assessments: [], answers: {} }
    learners.set(subject_id, {
      ...{ ...before, at, is_counted },
      assessments: [...before.assessments, form.assessment_id],
      answers: { ...before.answers, ...StoredAnswers.parse(form.answers) },
    })
    sayings.set(sayingOf(form), learners)
  }
  return new Map([...sayings].map(([saying, learners]) => [saying, [...learners.values()]]))
}

function figuresOf({ items, ...objective }: Objective, sayings: Sayings): ObjectiveFigures {
  const asked = Map.groupBy(items, (item) => item.assessment_id)
  const scores = (phase: Phase, rater: Rater) =>
    scoresOf(sayings.get(sayingOf({ phase, rater })) ?? [], asked)
  const [self_before, self_after] = [scores('pre', 'self'), scores('post', 'self')]
  const [sponsor_before, sponsor_after] = [scores('pre', 'sponsor'), scores('post', 'sponsor')]
  return {
    ...objective,
    self_change: compareInFives(self_before, self_after),
    sponsor_change: compareInFives(sponsor_before, sponsor_after),
    gap_before: compareInFives(sponsor_before, self_before),
    gap_after: compareInFives(sponsor_after, self_after),
  }
}

/** For each learner, the weighted mean over all items of a phase about the objective. */
function scoresOf(
  said: readonly Said[],
  asked: ReadonlyMap<number, readonly AssessmentItem[]>,
): Map<number, Scored> {
  const found = new Map<number, Scored>()
  for (const { subject_id, assessments, answers, at, is_counted } of said) {
    const items = assessments.flatMap((id) => asked.get(id) ?? [])
    const score = scoreOf(items, answers)
    if (score !== null) found.set(subject_id, { score, at, is_counted })
  }
  return found
}
