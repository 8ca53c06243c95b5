import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { rowById } from '#app/db/row-by-id.server.ts'
import type { DB, Responses } from '#app/db/schema.ts'
import { notFound, Refusal } from '../errors.ts'
import { answerInWords } from '../lifts/answer-words.ts'
import { getLift, listAllPrompts } from '../lifts/lifts.server.ts'
import { offsetOf, paginate } from '../page.ts'
import { READABLE, type ResponsePage } from '../responses/response.ts'
import { toPoints } from '../responses/score.ts'
import { saysWords } from '../responses/searching.server.ts'
import { scoreBy, stood } from '../responses/standing.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { countWithPage, findIds, limitOf, MAX_COUNT, TOO_COMMON, totalWithPage } from '../search.server.ts'
import { nameOrEmailOf } from '../text/full-name.server.ts'
import { isAbout } from './prompt-figures.server.ts'
import type { ResponseQuery } from './query.ts'
import { chooseTurns } from './turns.server.ts'

/** Lists at most the first `most` answers; of a common name, only those of the newest participants. */
export async function listLiftResponses(
  scope: Scope,
  liftId: number,
  query: ResponseQuery,
  most = MAX_COUNT,
): Promise<ResponsePage> {
  const lift = await getLift(scope, liftId)
  const { user, prompt_id, lo_id, from, to, as_of, q } = query
  const all = await listAllPrompts(scope, liftId)
  if (prompt_id && !all.some(({ id }) => id === prompt_id)) throw notFound()
  const prompts = all.filter((prompt) => isAbout(lift, prompt, lo_id))
  const named = q ? await findIds(scope, 'participants', q, { journey: lift.journey_id }) : null
  const isCut = named?.is_all === false
  if (isCut && !Number.isFinite(most)) throw new Refusal(409, TOO_COMMON)
  const turns = await chooseTurns(scope, { user, lo_id, from, to, as_of })
  let answers = scope.db
    .selectFrom('responses as r')
    .where('r.lift_id', '=', liftId)
    .where(stood(turns.as_of))
    .where('r.visibility', 'in', READABLE)
  if (prompt_id) answers = answers.where('r.prompt_id', '=', prompt_id)
  if (lo_id)
    answers = answers.where(sql<SqlBool>`r.prompt_id = any(${prompts.map(({ id }) => id)}::bigint[])`)
  const due = turns.facts?.where('f.lift_id', '=', liftId)
  if (due && user) answers = answers.where('r.member_id', 'in', due.select('f.member_id'))
  else if (due) {
    // Looked up answer by answer until the page is full: with `in`, PostgreSQL reads the turns of all learners first.
    const turn = due.where(sql<SqlBool>`f.member_id = r.member_id`).select(sql<boolean>`true`.as('is_due'))
    answers = answers.where(sql<SqlBool>`exists (${due.select('f.member_id')}) and ${turn.limit(1)}`)
  }
  if (named)
    answers = answers.where((is) =>
      is.or([sql<SqlBool>`r.member_id = any(${named.ids}::bigint[])`, saysWords(q, prompts)]),
    )
  const matching = isOfEverybody(scope) ? answers.select('r.id') : ofPeople(answers).select('r.id')
  const page = matching
    .orderBy('r.submitted_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limitOf(query, most))
    .offset(offsetOf(query))
  const rows = await ofPeople(scope.db.selectFrom('responses as r'))
    .innerJoinLateral(rowById('journeys', 'm.journey_id').as('j'), (join) => join.onTrue())
    .where(sql<SqlBool>`r.id = any(array(${page}))`)
    .select(['r.id', 'r.prompt_id', 'r.value', 'r.is_current', 'r.submitted_at'])
    .select(scoreBy(turns.as_of))
    .select(['m.user_id', 'm.exclude_data', NAME.as('name')])
    .select(sql<boolean>`j.status <> 'archived' and u.erased_on is null`.as('is_open'))
    .select(totalWithPage(matching, query, most).as('total'))
    .orderBy('r.submitted_at', 'desc')
    .orderBy('r.id', 'desc')
    .execute()
  const total = rows[0]?.total ?? (await countWithPage(scope, matching, query, 0, most))
  const asked = new Map(prompts.map((prompt) => [prompt.id, prompt]))
  return {
    data: rows.flatMap(({ submitted_at, is_current, is_open, total: _, ...row }) => {
      const prompt = asked.get(row.prompt_id)
      if (!prompt) return []
      const { text: question, kind, max_score } = prompt
      const points = row.score === null ? null : toPoints(row.score, max_score)
      const given = { points, max_score, may_score: is_current && is_open && prompt.scoring === 'author' }
      const words = answerInWords(prompt, row.value)
      return [{ ...row, ...given, question, kind, words, submitted_at: submitted_at.toISOString() }]
    }),
    pagination: isCut && total <= most ? paginate(total + 1, query, total) : paginate(total, query, most),
  }
}

const NAME = nameOrEmailOf('u')

/** Joins the question and the person to each answer by key, in whatever order the answers come. */
const ofPeople = <Selected>(answers: SelectQueryBuilder<DB & { r: Responses }, 'r', Selected>) =>
  answers
    .innerJoinLateral(rowById('prompts', 'r.prompt_id').as('p'), (join) => join.onTrue())
    .innerJoinLateral(rowById('members', 'r.member_id').as('m'), (join) => join.onTrue())
    .innerJoinLateral(rowById('users', 'm.user_id').as('u'), (join) => join.onTrue())

/** Whether the join with people drops no answer: only inside a sub-tenant can an answer be visible and its person hidden. */
const isOfEverybody = ({ actor }: Scope) => actor.sub_tenant_id === null
