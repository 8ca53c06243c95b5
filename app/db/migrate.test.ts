import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { connect } from './connect.server.ts'
import { generateTypes } from './generate-types.ts'
import { MigrationError, migrate, requireMigrated } from './migrate.server.ts'
import { PACKAGE_ROOT } from './package-root.ts'

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'liftwell-migrations-'))
})
beforeEach(() => cpSync(join(PACKAGE_ROOT, 'app/db/migrations'), folder, { recursive: true }))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const forget = (name: string) => rmSync(join(folder, name))
const refusal = () =>
  migrate(database.ownerUrl, folder).then(
    (applied) => `applied ${applied}`,
    (error) => (error instanceof MigrationError ? error.message : `not a MigrationError: ${error}`),
  )

it('Migrating a second time does nothing', async () => {
  expect(await migrate(database.ownerUrl)).toEqual([])
  await requireMigrated(database.appUrl)
})

it('The generated types match the migrated database (npm run db:types)', () => {
  generateTypes(database.ownerUrl, { verify: true })
})

it('A new migration is applied once, even if several processes start together', async () => {
  write('9001_first.sql', 'create table firsts (id int)')
  const applied = await Promise.all([1, 2, 3].map(() => migrate(database.ownerUrl, folder)))
  expect(applied.flat()).toEqual(['9001_first.sql'])
})

it('A migration that was changed after it had been applied is refused', async () => {
  write('9001_first.sql', 'create table firsts (id bigint)')
  expect(await refusal()).toContain('9001_first.sql was changed after it had been applied')
})

it('Different line ends do not count as a change of a migration', async () => {
  write('9001_first.sql', 'create table firsts (id int)')
  write('9002_second.sql', 'create table\r\nseconds (id int)')
  await migrate(database.ownerUrl, folder)
  write('9002_second.sql', 'create table\nseconds (id int)')
  expect(await migrate(database.ownerUrl, folder)).toEqual([])
})

it('A database that is newer than the program is refused', async () => {
  forget('9002_second.sql')
  expect(await refusal()).toContain('newer than this version of Liftwell: it has 9002_second.sql')
})

it('A migration out of order is refused', async () => {
  write('9002_second.sql', 'create table\nseconds (id int)')
  write('9001_before.sql', 'select')
  expect(await refusal()).toContain('9001_before.sql comes before 9002_second.sql')
  forget('9001_before.sql')
})

it('A migration is applied completely or not at all, and the failing line is named', async () => {
  write('9003_half.sql', 'create table half (id int);\nselect nonsense;')
  expect(await refusal()).toBe(
    'The migration 9003_half.sql failed: column "nonsense" does not exist (line 2)',
  )
  const owner = connect(database.ownerUrl, { max: 1 })
  const tables = await owner.introspection.getTables()
  await owner.destroy()
  expect(tables.map(({ name }) => name)).not.toContain('half')
})

it('A role that cannot migrate is told which migrations are missing', async () => {
  await expect(requireMigrated(database.appUrl, folder)).rejects.toThrow(
    'The database lacks migrations (9003_half.sql): set DATABASE_OWNER_URL to apply them.',
  )
})

it('vacuums a table that it has rewritten, so that its indexes alone can be read', async () => {
  forget('9003_half.sql')
  write('9003_large.sql', 'create table large as select id from generate_series(1, 50000) id')
  await migrate(database.ownerUrl, folder)
  write('9004_rewritten.sql', 'alter table large alter column id type bigint')
  await migrate(database.ownerUrl, folder)
  const admin = await database.connectAdmin()
  const { rows } = await admin.query(
    `select relallvisible > 0 and relallvisible = relpages as is_visible from pg_class where relname = 'large'`,
  )
  expect(rows).toEqual([{ is_visible: true }])
})
