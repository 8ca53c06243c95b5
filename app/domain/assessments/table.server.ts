/** The learners of a journey in a table, with the state and score of each form. */
import { sql } from 'kysely'
import { offsetOf } from '#app/domain/page.ts'
import { nameOrEmail } from '#app/domain/text/full-name.ts'
import { getJourney } from '../journeys/journeys.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { countWithPage, findIds, limitOf, paginateFound } from '../search.server.ts'
import type { Assessment } from './assessment.ts'
import { selectAssessments, toAssessment } from './assessments.server.ts'
import type { AssessmentsPage, AssessmentsQuery, FormState, Peers } from './form.ts'
import { type PeersOf, peersKey, peersOf, type Said } from './peers.server.ts'

export async function listAssessments(
  scope: Scope,
  journeyId: number,
  query: AssessmentsQuery,
): Promise<AssessmentsPage> {
  const { id, name, status, may_edit } = await getJourney(scope, journeyId)
  const assessments = await readWithFigures(scope, journeyId)
  const { learners, total, found } = await readLearners(scope, journeyId, query)
  const peers = peersOf(
    assessments,
    learners.flatMap(({ forms }) => forms.filter(isOfPeer)),
  )
  return {
    journey: { id, name, status, may_edit },
    assessments,
    data: learners.map(({ id: member, first_name, last_name, email, forms, ...learner }) => ({
      ...learner,
      name: nameOrEmail({ first_name, last_name, email }),
      forms: assessments.flatMap((one) => cellsOf(one, member, forms, peers)),
    })),
    pagination: paginateFound(total, query, found),
  }
}

/** A learner who left is shown as long as forms about them exist. */
async function readLearners(scope: Scope, journeyId: number, query: AssessmentsQuery) {
  const { q } = query
  const { db } = scope
  const found = q ? await findIds(scope, 'participants', q, { journey: journeyId }) : null
  let matching = db
    .selectFrom('members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.journey_id', '=', journeyId)
    .where('m.role', '=', 'learner')
    .where(sql<boolean>`(m.state <> 'withdrawn' or exists (select from assessment_forms f
      where f.tenant_id = m.tenant_id and f.subject_id = m.id and f.state = 'submitted'))`)
  if (found) matching = matching.where(sql<boolean>`m.id = any(${found.ids}::bigint[])`)
  // In the order of an index, and only ids: otherwise each page would sort all learners.
  const page = IN_ORDER.reduce((some, column) => some.orderBy(column), matching.select('m.id'))
    .limit(limitOf(query))
    .offset(offsetOf(query))
  const shown = db
    .selectFrom('members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where(sql<boolean>`m.id = any(array(${page}))`)
    .select(['m.id', 'm.user_id', 'm.exclude_data', 'u.first_name', 'u.last_name', 'u.email'])
    .select(FORMS)
  const learners = await IN_ORDER.reduce((some, column) => some.orderBy(column), shown).execute()
  const total = await countWithPage(scope, matching.select('m.id'), query, learners.length)
  return { learners, total, found }
}

const IN_ORDER = ['u.last_name', 'u.first_name', 'u.id', 'm.id'] as const

type StoredForm = Said & { rater: string; score: number | null }

const isOfPeer = ({ rater }: StoredForm) => rater === 'peers'

/** Of peers, as many as were asked. */
const FORMS = sql<StoredForm[]>`(
  select coalesce(json_agg(json_build_object('assessment_id', f.assessment_id, 'subject_id', f.subject_id,
    'rater', f.rater, 'state', f.state, 'score', f.score,
    'answers', case when f.rater = 'peers' then f.answers end) order by f.submitted_at nulls last, f.id), '[]')
  from assessment_forms f where f.tenant_id = m.tenant_id and f.subject_id = m.id
    and (f.rater <> 'peers' or f.state <> 'not_open' and (f.state <> 'closed' or not f.is_left)))`.as('forms')

function cellsOf({ id, raters }: Assessment, member: number, forms: readonly StoredForm[], peers: PeersOf) {
  return raters.map((rater) => {
    const said = rater === 'peers' ? peers.get(peersKey(id, member)) : undefined
    const form = forms.find((one) => one.assessment_id === id && one.rater === rater)
    const isIn = form?.state === 'submitted'
    const state: FormState = said
      ? stateOfPeers(said)
      : ((form?.state as FormState | undefined) ?? 'not_open')
    return {
      ...{ assessment_id: id, rater, state },
      score: said ? said.score : (form?.score ?? null),
      asked: said?.asked ?? (form ? 1 : 0),
      submitted: said?.submitted ?? (isIn ? 1 : 0),
    }
  })
}

const stateOfPeers = ({ submitted, is_open }: Peers): FormState => {
  if (is_open) return submitted > 0 ? 'in_progress' : 'open'
  return submitted > 0 ? 'submitted' : 'closed'
}

type Figure = AssessmentsPage['assessments'][number]['figures'][number]

/** Counted in one pass. */
const figuresOf = (journeyId: number) => sql<{ assessment_id: number; figures: Figure[] }>`(
  select assessment_id, json_agg(json_build_object('rater', rater, 'asked', asked, 'submitted', submitted,
    'score', score) order by array_position(array['self', 'sponsor', 'peers'], rater)) as figures
  from (select f.assessment_id, f.rater, count(*) filter (where f.state <> 'closed' or not f.is_left) as asked,
      count(*) filter (where f.state = 'submitted') as submitted,
      case when f.rater <> 'peers' then avg(f.score) filter (where f.state = 'submitted') end as score
    from assessment_forms f join members m on m.tenant_id = f.tenant_id and m.id = f.subject_id
    where f.journey_id = ${journeyId} and not m.exclude_data
    group by f.assessment_id, f.rater) counted
  group by assessment_id)`

async function readWithFigures(scope: Scope, journeyId: number) {
  const rows = await selectAssessments(scope, journeyId)
    .leftJoin(figuresOf(journeyId).as('counted'), 'counted.assessment_id', 'a.id')
    .select('counted.figures')
    .execute()
  return rows.map(({ figures, ...row }) => ({ ...toAssessment(row), figures: figures ?? [] }))
}
