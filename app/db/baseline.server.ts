/** Databases with all of the migrations 0001 to 0059 get the journal of the baseline (`npm run prove:baseline`). */
import { createHash } from 'node:crypto'
import type pg from 'pg'

type Applied = ReadonlyMap<string, string>
type Migration = { name: string; sha256: string }

/** Of the lines `name sha256` of all that were joined. */
const JOINED = '999513cec58465fd12d980371db6b0463334d844e09ac2759880ce5974364c33'
const FIRST_AFTER = '0060'

/** The names of migrations in the journal that the baseline replaced; `isWhole`: all of them were applied. */
export function joinedMigrations(migrations: readonly Migration[], applied: Applied) {
  const known = new Set(migrations.map(({ name }) => name))
  const names = [...applied.keys()].filter((name) => name < FIRST_AFTER && !known.has(name)).sort()
  const lines = names.map((name) => `${name} ${applied.get(name)}`).join('\n')
  return { names, isWhole: createHash('sha256').update(lines).digest('hex') === JOINED }
}

export async function rewriteJournal(
  client: pg.Client,
  migrations: readonly Migration[],
  names: readonly string[],
): Promise<void> {
  const baseline = migrations.filter(({ name }) => name < FIRST_AFTER)
  await client.query(
    `with joined as (delete from schema_migrations where name = any ($1))
    insert into schema_migrations (name, sha256) select * from unnest($2::text[], $3::text[])`,
    [names, baseline.map(({ name }) => name), baseline.map(({ sha256 }) => sha256)],
  )
}
