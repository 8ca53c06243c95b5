/** The answers to the questions of one lift, for those who run its journey. */
import { sql } from 'kysely'
import { may } from '../access/permissions.ts'
import { forbidden, notFound } from '../errors.ts'
import { answerInWords } from '../lifts/answer-words.ts'
import { getLift, listPrompts } from '../lifts/lifts.server.ts'
import { paginate } from '../page.ts'
import type { Scope } from '../scope.server.ts'
import { READABLE, type ResponsePage, type ResponseQuery } from './response.ts'
import { toPoints } from './score.ts'
import { containing, saysWords } from './searching.server.ts'

export async function listLiftResponses(
  scope: Scope,
  liftId: number,
  query: ResponseQuery,
): Promise<ResponsePage> {
  await getLift(scope, liftId)
  if (!may(scope.actor, 'analytics:view')) throw forbidden()
  const prompts = await listPrompts(scope, [liftId], 'all')
  if (query.prompt_id && !prompts.some(({ id }) => id === query.prompt_id)) throw notFound()
  let matching = scope.db
    .selectFrom('responses as r')
    .innerJoin('prompts as p', 'p.id', 'r.prompt_id')
    .innerJoin('members as m', 'm.id', 'r.member_id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('r.lift_id', '=', liftId)
    .where('r.is_current', '=', true)
    .where('r.visibility', 'in', READABLE)
  if (query.prompt_id) matching = matching.where('r.prompt_id', '=', query.prompt_id)
  const name = sql<string>`trim(u.first_name || ' ' || u.last_name)`
  if (query.q)
    matching = matching.where((eb) =>
      eb.or([sql<boolean>`${name} ilike ${containing(query.q)}`, saysWords(query.q, prompts)]),
    )
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .select(['r.id', 'r.prompt_id', 'r.value', 'r.score', 'r.score_comment as comment', 'r.submitted_at'])
    .select(['m.user_id', 'm.exclude_data', name.as('name')])
    .orderBy('r.submitted_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(query.per_page)
    .offset((query.page - 1) * query.per_page)
    .execute()
  const asked = new Map(prompts.map((prompt) => [prompt.id, prompt]))
  return {
    data: rows.flatMap(({ submitted_at, ...row }) => {
      const prompt = asked.get(row.prompt_id)
      if (!prompt) return []
      const { text: question, kind, max_score } = prompt
      const points = row.score === null ? null : toPoints(row.score, max_score)
      const given = { points, max_score, may_score: prompt.scoring === 'author' }
      const words = answerInWords(prompt, row.value)
      return [{ ...row, ...given, question, kind, words, submitted_at: submitted_at.toISOString() }]
    }),
    pagination: paginate(Number(total), query),
  }
}
