/** Upgrades of databases from before the baseline: one with rows in every table, and one that stopped earlier. */
import { randomBytes, randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { fill, type Rows, tablesOfTenants } from '#tests/api/isolation/catalogue-rows.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import joined from '#tests/support/joined-migrations.json' with { type: 'json' }
import { asAdmin } from '#tests/support/postgres.ts'
import { migrate, requireMigrated } from './migrate.server.ts'
import { PACKAGE_ROOT } from './package-root.ts'
import { derivePasswords, prepareDatabase } from './prepare.server.ts'
import { withTarget } from './url.ts'

const MIGRATIONS = join(PACKAGE_ROOT, 'app/db/migrations')
const isBaseline = (name: string) => name < '0125'
const names = readdirSync(MIGRATIONS).sort()

it('A database with rows in every table upgrades from the joined migrations to the latest version', async () => {
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
    expect(before.size).toBeGreaterThan(45)
    await admin.query(`update users set first_name = 'Ämber'`)
    await writeJournal(admin, joined)

    await expect(requireMigrated(urls.appUrl)).rejects.toThrow('set DATABASE_OWNER_URL once')
    expect(await migrate(urls.ownerUrl)).toEqual(names.filter((name) => !isBaseline(name)))
    const journal = await admin.query(`select name from schema_migrations order by name`)
    expect(journal.rows.map(({ name }) => name)).toEqual(names)
    await requireMigrated(urls.appUrl)
    // This derived column was recomputed.
    const { rows: people } = await admin.query(`select searchable from users`)
    for (const { searchable } of people) expect(searchable).toContain('amber')
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
  // Triggers would tally facts a second time; here every table already has one row.
  await admin.query('alter table fact_occurrence disable trigger user')
  const rows = await fill(admin, await tablesOfTenants(admin), { name: 'acme-north', tenant, sub })
  await admin.query('alter table fact_occurrence enable trigger user')
  rows.delete('pools')
  return rows
}

/** Writes a journal as if exactly these migrations had been applied. */
async function writeJournal(client: pg.Client, applied: Record<string, string>): Promise<void> {
  await client.query('delete from schema_migrations')
  await client.query(
    'insert into schema_migrations (name, sha256) select * from unnest($1::text[], $2::text[])',
    [Object.keys(applied), Object.values(applied)],
  )
}

it('A database that stopped before the last joined migration is refused with instructions', async () => {
  const database = await createTestDatabase()
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  owner.on('error', () => {})
  await owner.connect()
  try {
    const { '0124_taken_emails.sql': _, ...some } = joined
    await writeJournal(owner, some)
    await expect(migrate(database.ownerUrl)).rejects.toThrow(
      'stopped at 0123_people_of_all_tenants.sql, one of the migrations that were joined into a baseline: start the version of',
    )
  } finally {
    await owner.end()
    await database.drop()
  }
})
