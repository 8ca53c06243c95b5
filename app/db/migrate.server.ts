/** Brings a database up to date: the files of app/db/migrations, in order, each in a transaction of its own. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { joinedMigrations, rewriteJournal } from './baseline.server.ts'
import { createClient } from './client.server.ts'
import { PACKAGE_ROOT } from './package-root.ts'
import { installQueue } from './queue.server.ts'

const MIGRATIONS = join(PACKAGE_ROOT, 'app/db/migrations')

export class MigrationError extends Error {}

type Migration = { name: string; text: string; sha256: string }
type Applied = Map<string, string>

export async function bringUpToDate(ownerUrl: string): Promise<void> {
  await migrate(ownerUrl)
  await installQueue(ownerUrl)
}

/** Applies missing migrations as the owner of the tables; returns their names. */
export async function migrate(ownerUrl: string, folder: string = MIGRATIONS): Promise<string[]> {
  const client = createClient(ownerUrl, { application_name: 'liftwell migrate' })
  await client.connect()
  try {
    // Processes that start together take turns; the lock ends with the connection.
    await client.query(`select pg_advisory_lock(hashtext('liftwell migrate'))`)
    await client.query(`create table if not exists schema_migrations (
      name text primary key, sha256 text not null, applied_on timestamptz not null default now())`)
    await client.query('grant select on schema_migrations to liftwell_app, liftwell_worker')
    const migrations = await readMigrations(folder)
    await takeOverBaseline(client, migrations)
    const pending = pendingOf(migrations, await readApplied(client))
    for (const migration of pending) await apply(client, migration)
    if (pending.length > 0) await vacuumRewritten(client)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** Throws unless a database that we may not migrate is up to date. */
export async function requireMigrated(url: string, folder: string = MIGRATIONS): Promise<void> {
  const client = createClient(url, { application_name: 'liftwell migrate' })
  await client.connect()
  try {
    const migrations = await readMigrations(folder)
    const applied = await readApplied(client)
    if (joinedMigrations(migrations, applied).names.length > 0)
      throw new MigrationError(
        'The migrations of the database were joined into a baseline: set DATABASE_OWNER_URL once, so that it is taken over.',
      )
    const pending = pendingOf(migrations, applied)
    if (pending.length === 0) return
    const names = pending.map(({ name }) => name).join(', ')
    throw new MigrationError(
      `The database lacks migrations (${names}): set DATABASE_OWNER_URL to apply them.`,
    )
  } finally {
    await client.end()
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, text, sha256: createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex') }
    }),
  )
}

async function takeOverBaseline(client: pg.Client, migrations: Migration[]): Promise<void> {
  const { names, isWhole } = joinedMigrations(migrations, await readApplied(client))
  if (names.length === 0) return
  if (isWhole && migrations.some(({ name }) => name.startsWith('0001_')))
    return rewriteJournal(client, migrations, names)
  throw new MigrationError(
    `The database stopped at ${names.at(-1)}, one of the migrations that were joined into a baseline: start the version of November 29, 2026 (dc74fe8) on it once, then this one.`,
  )
}

async function readApplied(client: pg.Client): Promise<Applied> {
  const found = await client.query<{ known: boolean }>(
    `select to_regclass('schema_migrations') is not null as known`,
  )
  if (!found.rows[0]?.known) return new Map()
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations',
  )
  return new Map(rows.map((row) => [row.name, row.sha256]))
}

/** The migrations not applied yet. History is append-only: anything else is refused before any SQL runs. */
function pendingOf(migrations: Migration[], applied: Applied): Migration[] {
  const names = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied.keys()].filter((name) => !names.has(name)).sort()
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database is newer than this version of Liftwell: it has ${unknown.join(', ')}.`,
    )
  }
  for (const { name, sha256 } of migrations) {
    const before = applied.get(name)
    if (before !== undefined && before !== sha256) {
      throw new MigrationError(
        `The migration ${name} was changed after it had been applied; add a new one instead.`,
      )
    }
  }
  const pending = migrations.filter(({ name }) => !applied.has(name))
  const last = [...applied.keys()].sort().at(-1) ?? ''
  const late = pending.find(({ name }) => name < last)
  if (late)
    throw new MigrationError(`The migration ${late.name} comes before ${last}, which is already applied.`)
  return pending
}

async function apply(client: pg.Client, { name, text, sha256 }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    const why =
      error instanceof pg.DatabaseError ? `${error.message}${lineOf(text, error.position)}` : String(error)
    throw new MigrationError(`The migration ${name} failed: ${why}`, { cause: error })
  }
}

const MIN_PAGES = 100

/**
 * Vacuums tables that a migration has rewritten. Until then index-only scans look up each row, which made counting ten
 * thousand journeys seven times slower; autovacuum waits for a fifth of the rows to change.
 */
async function vacuumRewritten(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_has_role(relowner, 'usage')
       and relallvisible = 0 and pg_relation_size(oid) >= $1 * current_setting('block_size')::int`,
    [MIN_PAGES],
  )
  for (const { name } of rows) await client.query(`vacuum (analyze) ${name}`)
}

function lineOf(text: string, position: string | undefined): string {
  return position ? ` (line ${text.slice(0, Number(position)).split('\n').length})` : ''
}
