/** Databases that were there before: one with the baseline and rows in every table, and one from before the baseline. */
import { randomBytes, randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { fill, type Rows, tablesOfTenants } from '#tests/api/isolation/catalogue-rows.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import joined from '#tests/support/joined-migrations.json' with { type: 'json' }
import { asAdmin } from '#tests/support/postgres.ts'
import { migrate, requireMigrated } from './migrate.server.ts'
import { PACKAGE_ROOT } from './package-root.ts'
import { derivePasswords, prepareDatabase } from './prepare.server.ts'
import { withTarget } from './url.ts'

const MIGRATIONS = join(PACKAGE_ROOT, 'app/db/migrations')
const isBaseline = (name: string) => name < '0060'
const names = readdirSync(MIGRATIONS).sort()

it('A database with the baseline and rows in every table takes every later migration', async () => {
  const { adminUrl, secret } = inject('postgres')
  const database = `liftwell_upgrade_${randomBytes(6).toString('hex')}`
  const folder = mkdtempSync(join(tmpdir(), 'liftwell-baseline-'))
  for (const name of names.filter(isBaseline)) cpSync(join(MIGRATIONS, name), join(folder, name))
  const urls = await prepareDatabase(adminUrl, { database, passwords: derivePasswords(secret) })
  const admin = new pg.Client({ connectionString: withTarget(adminUrl, { database }) })
  admin.on('error', () => {})
  await admin.connect()
  try {
    await migrate(urls.ownerUrl, folder)
    const before = await fillAll(admin)
    expect(before.size).toBeGreaterThan(35)

    expect(await migrate(urls.ownerUrl)).toEqual(names.filter((name) => !isBaseline(name)))
    await requireMigrated(urls.appUrl)
    for (const [table, row] of before) {
      const { rows } = await admin.query(`select count(*)::int as count from ${table} where tenant_id = $1`, [
        row.tenant_id,
      ])
      expect([table, rows[0].count]).toEqual([table, 1])
    }
  } finally {
    await admin.end()
    await asAdmin(adminUrl, `drop database ${database} with (force)`)
    rmSync(folder, { recursive: true })
  }
})

async function fillAll(admin: pg.Client): Promise<Rows> {
  const [tenant, sub] = [randomUUID(), randomUUID()]
  await admin.query(`insert into pools (id, name, kind, issuer, client_id) values ('catalogue', 'C', 'embedded', 'i', 'c');
    insert into tenants (id, name, pool_id) values ('${tenant}', 'Acme', 'catalogue');
    insert into sub_tenants (tenant_id, id, name) values ('${tenant}', '${sub}', 'North')`)
  // Facts tally themselves; here every table has one row.
  await admin.query('alter table fact_occurrence disable trigger user')
  const rows = await fill(admin, await tablesOfTenants(admin), { name: 'acme-north', tenant, sub })
  await admin.query('alter table fact_occurrence enable trigger user')
  rows.delete('pools')
  return rows
}

let database: TestDatabase
let owner: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  owner = new pg.Client({ connectionString: database.ownerUrl })
  owner.on('error', () => {})
  await owner.connect()
})
afterAll(async () => {
  await owner?.end()
  await database?.drop()
})

async function journalOf(before: Record<string, string>): Promise<void> {
  await owner.query(`delete from schema_migrations where name < '0060'`)
  await owner.query(
    'insert into schema_migrations (name, sha256) select * from unnest($1::text[], $2::text[])',
    [Object.keys(before), Object.values(before)],
  )
}

it('A database from before the baseline is taken over, and nothing runs twice', async () => {
  await journalOf(joined)
  await expect(requireMigrated(database.appUrl)).rejects.toThrow('set DATABASE_OWNER_URL once')
  expect(await migrate(database.ownerUrl)).toEqual([])
  const { rows } = await owner.query(`select name from schema_migrations order by name`)
  expect(rows.map(({ name }) => name)).toEqual(names)
  await requireMigrated(database.appUrl)
})

it('One that stopped on the way there is told what to do', async () => {
  const { '0059_audit_names.sql': _, ...some } = joined
  await journalOf(some)
  await expect(migrate(database.ownerUrl)).rejects.toThrow(
    'stopped at 0056_email_domains.sql, one of the migrations that were joined into a baseline: start the version of',
  )
})
