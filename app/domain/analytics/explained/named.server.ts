/** Finds the people and lifts that a search names first, so that only their facts are read. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../scope/scope.server.ts'
import type { selectFacts } from '../population.server.ts'
import { nameContains, titleContains } from '../table-order.server.ts'
import type { ExplainQuery } from './explained.ts'

export type Found = { members: readonly number[]; lifts: readonly number[] }

/** Null without a search. */
export async function findNamed({ db }: Scope, q: string): Promise<Found | null> {
  if (!q) return null
  const { rows } = await sql<Found>`
    select array(select p.member_id from fact_learner p join users u on u.id = p.user_id where ${nameContains(q)}) as members,
      array(select l.id from lifts l where ${titleContains(q)}) as lifts`.execute(db)
  return rows[0] ?? { members: [], lifts: [] }
}

type Facts = ReturnType<typeof selectFacts>

export type Asked = {
  query: ExplainQuery
  as_of: Date
  parts: Record<'counts' | 'among', RawBuilder<SqlBool>>
  named: Found | null
  facts: Facts
}

export function amongNamed(facts: Facts, { members, lifts }: Found): Facts {
  const are = {
    members: sql<SqlBool>`f.member_id = any(${members}::bigint[])`,
    lifts: sql<SqlBool>`f.lift_id = any(${lifts}::bigint[])`,
  }
  if (lifts.length === 0) return facts.where(are.members)
  return members.length === 0 ? facts.where(are.lifts) : facts.where((eb) => eb.or([are.members, are.lifts]))
}
