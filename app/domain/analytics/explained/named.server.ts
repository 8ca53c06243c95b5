/** Finds the people and lifts that a search names first, so that only their facts are read. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../scope/scope.server.ts'
import { findInEach } from '../../search.server.ts'
import type { selectFacts } from '../population.server.ts'
import type { ExplainQuery } from './explained.ts'

/** `is_all`: false where the words are so common that only the newest people or lifts are known. */
export type Found = { members: readonly number[]; lifts: readonly number[]; is_all: boolean }

/** Null without a search. */
export async function findNamed(scope: Scope, q: string): Promise<Found | null> {
  if (!q) return null
  const found = await findInEach(scope, ['users', 'lifts'], q)
  const [people, lifts] = [found.get('users'), found.get('lifts')]
  const { rows } = await sql<Pick<Found, 'members' | 'lifts'>>`select array(
      select p.member_id from unnest(${people?.ids ?? '{}'}::bigint[]) found (id)
        cross join lateral (select member_id from fact_learner where user_id = found.id offset 0) p) as members,
    ${lifts?.ids ?? '{}'}::bigint[] as lifts`.execute(scope.db)
  const is_all = people?.is_all !== false && lifts?.is_all !== false
  return { members: [], lifts: [], ...rows[0], is_all }
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
