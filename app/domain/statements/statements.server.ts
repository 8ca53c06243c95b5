/**
 * The activity of a journey's learners (those who count) as xAPI statements. Answers are included as far as the
 * people running the journey may read them.
 */
import { sql } from 'kysely'
import { fullNameOf } from '#app/domain/text/full-name.server.ts'
import { selectFacts } from '../analytics/population.server.ts'
import { getJourney } from '../journeys/journeys.server.ts'
import { listPrompts } from '../lifts/lifts.server.ts'
import { READABLE } from '../responses/response.ts'
import type { Scope } from '../scope/scope.server.ts'
import { type Happened, makeStatement } from './make-statement.ts'
import type { Statement } from './statement.ts'

export type StatementsAsked = { origin: string; journey: number; with_addresses: boolean; as_of: Date }
type Reading = <Result>(work: (scope: Scope) => Promise<Result>) => Promise<Result>

/** Statements per request to a record store. */
const AT_ONCE = 100

export async function countOccasions(scope: Scope, asked: StatementsAsked): Promise<number> {
  await getJourney(scope, asked.journey)
  const { rows } = await sql<{ many: number }>`
    select count(*) as many from (${occasions(scope, asked)}) happened`.execute(scope.db)
  return Number(rows[0]?.many ?? 0)
}

/**
 * In the order of events. `read` opens a scope per page, or uses an existing one. Each page scans all events of the
 * journey; with larger pages, changes made meanwhile are noticed later.
 */
export async function* statementPages(
  read: Reading,
  asked: StatementsAsked,
  readAtOnce = AT_ONCE,
): AsyncGenerator<Statement[]> {
  let last: Happened | undefined
  for (;;) {
    const happened = await read((scope) => readOccasions(scope, asked, last, readAtOnce))
    const statements = await read((scope) => inStatements(scope, asked, happened))
    last = happened.at(-1)
    for (let start = 0; start < statements.length; start += AT_ONCE)
      yield statements.slice(start, start + AT_ONCE)
    if (happened.length < readAtOnce) return
  }
}

async function inStatements(scope: Scope, asked: StatementsAsked, happened: readonly Happened[]) {
  if (happened.length === 0) return []
  const { id, name } = await getJourney(scope, asked.journey)
  const lifts = [...new Set(happened.map(({ lift_id }) => lift_id))]
  const prompts = new Map((await listPrompts(scope, lifts, 'all')).map((prompt) => [prompt.id, prompt]))
  const telling = { ...asked, tenant_id: scope.actor.tenant_id, journey: { id, name } }
  return happened.map((one) => makeStatement(telling, one, prompts.get(one.prompt_id ?? 0)))
}

async function readOccasions(scope: Scope, asked: StatementsAsked, last: Happened | undefined, most: number) {
  const after = last
    ? sql`where (at, occasion, id) > (${last.moment}::timestamptz, ${last.occasion}::text, ${last.id}::bigint)`
    : sql``
  const { rows } = await sql<Happened>`
    select *, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as moment
    from (${occasions(scope, asked)}) happened ${after} order by at, occasion, id limit ${most}`.execute(
    scope.db,
  )
  return rows
}

function occasions(scope: Scope, { journey, as_of }: StatementsAsked) {
  const facts = selectFacts(scope, { journey }, as_of)
    .innerJoin('users as u', 'u.id', 'f.user_id')
    .innerJoin('lifts as l', 'l.id', 'f.lift_id')
    .where('u.erased_on', 'is', null)
    .select(['f.occurrence_id', 'f.member_id', 'f.user_id', 'f.lift_id', 'l.title as lift', 'u.email'])
    .select(['f.opened_at', 'f.completed_at'])
    .select(fullNameOf('u').as('name'))
  const who = sql`f.member_id, f.user_id, f.email::text as email, f.name, f.lift_id, f.lift`
  const ofTurn = sql`${who}, null::bigint as prompt_id, null::jsonb as value, null::text as visibility,
    null::float8 as score`
  const answers = sql`f join responses r on r.member_id = f.member_id and r.lift_id = f.lift_id`
  const value = sql`case when r.visibility in (${sql.join(READABLE)}) then r.value end`
  const scored_at = sql`coalesce(r.scored_at, r.submitted_at)`
  return sql`
    with facts as materialized (${facts})
    select 'experienced' as occasion, f.occurrence_id as id, f.opened_at as at, f.opened_at, ${ofTurn}
      from facts f where f.opened_at <= ${as_of}
    union all
    select 'completed', f.occurrence_id, f.completed_at, f.opened_at, ${ofTurn}
      from facts f where f.completed_at <= ${as_of}
    union all
    select 'answered', r.id, r.submitted_at, f.opened_at, ${who}, r.prompt_id, ${value}, r.visibility, null
      from facts ${answers} where r.submitted_at <= ${as_of}
    union all
    select 'scored', r.id, ${scored_at}, f.opened_at, ${who}, r.prompt_id, null, r.visibility, r.score::float8
      from facts ${answers} where r.score is not null and r.visibility in (${sql.join(READABLE)})
        and ${scored_at} <= ${as_of}`
}
