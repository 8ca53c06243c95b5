import { type SqlBool, sql } from 'kysely'
import { notFound } from '../errors.ts'
import { answerInWords } from '../lifts/answer-words.ts'
import { getLift, listPrompts } from '../lifts/lifts.server.ts'
import { paginate } from '../page.ts'
import { READABLE, type ResponsePage } from '../responses/response.ts'
import { toPoints } from '../responses/score.ts'
import { containing, saysWords } from '../responses/searching.server.ts'
import { scoreBy, stood } from '../responses/standing.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { countUpTo, limitOf, MAX_COUNT } from '../search.server.ts'
import { isAbout } from './prompt-figures.server.ts'
import type { ResponseQuery } from './query.ts'
import { chooseTurns } from './turns.server.ts'

/** Where there are more than `most`, no further than these. */
export async function listLiftResponses(
  scope: Scope,
  liftId: number,
  query: ResponseQuery,
  most = MAX_COUNT,
): Promise<ResponsePage> {
  const lift = await getLift(scope, liftId)
  const { user, prompt_id, lo_id, from, to, as_of } = query
  const all = await listPrompts(scope, [liftId], 'all')
  if (prompt_id && !all.some(({ id }) => id === prompt_id)) throw notFound()
  const prompts = all.filter((prompt) => isAbout(lift, prompt, lo_id))
  const turns = await chooseTurns(scope, { user, lo_id, from, to, as_of })
  let matching = scope.db
    .selectFrom('responses as r')
    .innerJoin('prompts as p', 'p.id', 'r.prompt_id')
    .innerJoin('members as m', 'm.id', 'r.member_id')
    .innerJoin('journeys as j', 'j.id', 'm.journey_id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('r.lift_id', '=', liftId)
    .where(stood(turns.as_of))
    .where('r.visibility', 'in', READABLE)
  if (prompt_id) matching = matching.where('r.prompt_id', '=', prompt_id)
  if (lo_id)
    matching = matching.where(sql<SqlBool>`r.prompt_id = any(${prompts.map(({ id }) => id)}::bigint[])`)
  if (turns.facts)
    matching = matching.where(
      'r.member_id',
      'in',
      turns.facts.where('f.lift_id', '=', liftId).select('f.member_id'),
    )
  const name = sql<string>`trim(u.first_name || ' ' || u.last_name)`
  if (query.q)
    matching = matching.where((eb) =>
      eb.or([sql<boolean>`${name} ilike ${containing(query.q)}`, saysWords(query.q, prompts)]),
    )
  const total = await countUpTo(scope, matching.select('r.id'), most)
  const rows = await matching
    .select(['r.id', 'r.prompt_id', 'r.value', 'r.is_current', 'r.submitted_at'])
    .select(scoreBy(turns.as_of))
    .select(['m.user_id', 'm.exclude_data', name.as('name')])
    .select(sql<boolean>`j.status <> 'archived'`.as('is_open'))
    .orderBy('r.submitted_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limitOf(query, most))
    .offset((query.page - 1) * query.per_page)
    .execute()
  const asked = new Map(prompts.map((prompt) => [prompt.id, prompt]))
  return {
    data: rows.flatMap(({ submitted_at, is_current, is_open, ...row }) => {
      const prompt = asked.get(row.prompt_id)
      if (!prompt) return []
      const { text: question, kind, max_score } = prompt
      const points = row.score === null ? null : toPoints(row.score, max_score)
      const given = { points, max_score, may_score: is_current && is_open && prompt.scoring === 'author' }
      const words = answerInWords(prompt, row.value)
      return [{ ...row, ...given, question, kind, words, submitted_at: submitted_at.toISOString() }]
    }),
    pagination: paginate(total, query, most),
  }
}
