/** Gives databases with all migrations 0001 to 0124 the journal of the baseline (`npm run prove:baseline`). */
import { createHash } from 'node:crypto'
import type pg from 'pg'

type Applied = ReadonlyMap<string, string>
type Migration = { name: string; sha256: string }

/** SHA-256 of the lines `name sha256` of all joined migrations. */
const JOINED = '9b47c06ee6d96b03ca9bdc1fceeccf9b2bed0bf9cf14fadddf00999064e322f6'
const FIRST_AFTER = '0125'

/** `names`: journal entries that the baseline has replaced; `isWhole`: whether all of those migrations were applied. */
export function joinedMigrations(migrations: readonly Migration[], applied: Applied) {
  const known = new Set(migrations.map(({ name }) => name))
  const before = [...applied.keys()].filter((name) => name < FIRST_AFTER).sort()
  const lines = before.map((name) => `${name} ${applied.get(name)}`).join('\n')
  return {
    names: before.filter((name) => !known.has(name)),
    isWhole: createHash('sha256').update(lines).digest('hex') === JOINED,
  }
}

export async function rewriteJournal(
  client: pg.Client,
  migrations: readonly Migration[],
  names: readonly string[],
): Promise<void> {
  const baseline = migrations.filter(({ name }) => name < FIRST_AFTER)
  await client.query(
    `with joined as (delete from schema_migrations where name = any ($1))
    insert into schema_migrations (name, sha256) select * from unnest($2::text[], $3::text[])
    on conflict (name) do update set sha256 = excluded.sha256`,
    [names, baseline.map(({ name }) => name), baseline.map(({ sha256 }) => sha256)],
  )
}
