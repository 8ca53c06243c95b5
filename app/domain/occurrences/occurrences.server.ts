/** Looks up rows one by one: without statistics of a table that just grew, PostgreSQL would scan all of it. */
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'

export const occurrencesOf = (memberIds: readonly number[]): RawBuilder<unknown> => sql`
  unnest(${memberIds}::bigint[]) as learner (id)
  cross join lateral (select * from occurrences where member_id = learner.id offset 0) o`

export const occurrences = (ids: readonly number[]): RawBuilder<unknown> => sql`
  unnest(${ids}::bigint[]) as occurrence (id)
  cross join lateral (select * from occurrences where id = occurrence.id offset 0) o`

export async function findOccurrences(
  { db }: Pick<Scope, 'db'>,
  memberIds: readonly number[],
  liftIds: readonly number[] | null = null,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select o.id from ${occurrencesOf(memberIds)}
    where ${liftIds}::bigint[] is null or o.lift_id = any(${liftIds}::bigint[]) order by o.id`.execute(db)
  return rows.map((row) => row.id)
}

export async function findOccurrencesOfLifts(
  { db }: Pick<Scope, 'db'>,
  liftIds: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('occurrences')
    .select('id')
    .where('lift_id', 'in', liftIds)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}
