/** Searches answers by their text, or by the options chosen. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Prompt } from '../lifts/prompt.ts'

/** A condition on `r` (responses), of which only answers to `prompts` are searched. */
export function saysWords(
  q: string,
  prompts: readonly Pick<Prompt, 'id' | 'kind' | 'options'>[],
): RawBuilder<SqlBool> {
  const chosen = prompts.flatMap(({ id, options }) =>
    options
      .filter(({ text }) => text.toLowerCase().includes(q.toLowerCase()))
      .map((option) => ({ prompt: id, option: option.id })),
  )
  const isTo = (...kinds: Prompt['kind'][]) =>
    sql`r.prompt_id = any(${prompts.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)}::bigint[])`
  const written = sql`case when ${isTo('commitment')} then r.value ->> 'what'
    when ${isTo('short_text', 'long_text', 'number')} then r.value #>> '{}' end`
  return sql<SqlBool>`(${written} ilike ${containing(q)} or exists (
    select from unnest(${chosen.map((one) => one.prompt)}::bigint[], ${chosen.map((one) => one.option)}::text[])
      as chosen (prompt, option) where chosen.prompt = r.prompt_id and r.value @> to_jsonb(chosen.option)))`
}

export const containing = (q: string): string => `%${q.replace(/[\\%_]/g, '\\$&')}%`
