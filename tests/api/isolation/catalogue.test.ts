/** The isolation of tenants, checked in the database catalog and tried on every table. */
import { randomUUID } from 'node:crypto'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '#app/db/connect.server.ts'
import type { DB } from '#app/db/schema.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { findings } from './catalogue-findings.ts'
import { fill, insertion, type Place, type Rows, type Table, tablesOfTenants } from './catalogue-rows.ts'
import { WHOLE_TENANT } from './wall-rules.ts'

const [acme, globex] = [randomUUID(), randomUUID()]
const [north, south, east] = [randomUUID(), randomUUID(), randomUUID()]
const PLACES: Place[] = [
  { name: 'acme-north', tenant: acme, sub: north },
  { name: 'acme-south', tenant: acme, sub: south },
  { name: 'acme-whole', tenant: acme, sub: null },
  { name: 'globex-east', tenant: globex, sub: east },
]

let database: TestDatabase
let admin: pg.Client
let catalogue: Kysely<DB>
let tables: Table[]
const rowsOf = new Map<string, Rows>()

beforeAll(async () => {
  database = await createTestDatabase()
  admin = await database.connectAdmin()
  catalogue = connect(database.adminUrl, { max: 1 })
  await admin.query(
    `insert into pools (id, name, kind, issuer, client_id) values ('catalogue', 'Catalogue', 'embedded', 'i', 'c')`,
  )
  for (const id of [acme, globex]) {
    await admin.query(`insert into tenants (id, name, pool_id) values ($1, $2, 'catalogue')`, [id, id])
  }
  for (const { tenant, sub, name } of PLACES) {
    if (sub)
      await admin.query('insert into sub_tenants (tenant_id, id, name) values ($1, $2, $3)', [
        tenant,
        sub,
        name,
      ])
  }
  tables = await tablesOfTenants(admin)
  for (const place of PLACES) rowsOf.set(place.name, await fill(admin, tables, place))
})

afterAll(async () => {
  await catalogue.destroy()
  await database.drop()
})

const ROLLBACK = new Error('rolled back on purpose')

/** Makes a change as the superuser, looks, and rolls back. */
async function afterwards<Result>(
  change: string,
  look: (db: Kysely<DB>) => Promise<Result>,
): Promise<Result> {
  let result: Result | undefined
  await catalogue
    .transaction()
    .execute(async (db) => {
      // Roles belong to the whole server, and every new test database sets their passwords.
      await sql`lock table pg_authid, pg_auth_members in share row exclusive mode`.execute(db)
      await sql.raw(change).execute(db)
      result = await look(db)
      throw ROLLBACK
    })
    .catch((error) => {
      if (error !== ROLLBACK) throw error
    })
  return result as Result
}

/** The findings after all of these were changed. */
const afterChanging = <One>(all: readonly One[], change: (one: One) => string) =>
  afterwards(all.map(change).join('; '), findings)

type Scope = { tenant?: string; sub?: string | null }

/** One statement of the application in a scope, rolled back. */
function inScope(db: Kysely<DB>, { tenant = '', sub = '' }: Scope, text: string, values: unknown[] = []) {
  let rows: Record<string, unknown>[] = []
  let changed = 0
  return db
    .transaction()
    .execute(async (transaction) => {
      await sql`select set_config('app.tenant_id', ${tenant}, true), set_config('app.sub_tenant_id', ${sub ?? ''}, true)`.execute(
        transaction,
      )
      const result = await transaction.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values))
      rows = result.rows
      changed = Number(result.numAffectedRows ?? 0)
      throw ROLLBACK
    })
    .catch((error) => {
      if (error !== ROLLBACK) throw error
      return { rows, changed }
    })
}

const visible = async (db: Kysely<DB>, scope: Scope, table: string) =>
  (await inScope(db, scope, `select ctid::text as at from ${table}`)).rows.map(({ at }) => at).sort()
const rowsAt = (table: string, belongs: (place: Place) => boolean) =>
  PLACES.filter(belongs)
    .map(({ name }) => rowsOf.get(name)?.get(table)?.at)
    .sort()
const filled = () => tables.filter(({ name }) => name !== 'sub_tenants')

describe('The database catalog', () => {
  it('has no hole in the isolation of tenants', async () => {
    expect(await findings(catalogue)).toEqual([])
  })

  it('has more than twenty tenant tables, each with a row of every place', () => {
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of filled()) expect(rowsAt(name, () => true)).toHaveLength(PLACES.length)
  })
})

describe('The check of the catalog reports', () => {
  it('every policy that is dropped or opened', async () => {
    const { rows } = await sql<{ on: string; name: string; command: string }>`
      select tablename as on, policyname as name, cmd as command from pg_policies
      where schemaname = 'public' and policyname like 'scope\\_%'`.execute(catalogue)
    expect(rows.length).toBeGreaterThan(80)
    const openOf = (command: string) => (command === 'INSERT' ? 'with check (true)' : 'using (true)')
    // `npm run prove:isolation` drops them one by one.
    const dropped = await afterChanging(rows, ({ on, name }) => `drop policy ${name} on ${on}`)
    expect(dropped).toEqual(
      expect.arrayContaining(
        rows.map(({ on, command }) => `The table ${on} has no policy for ${command.toLowerCase()}.`),
      ),
    )
    const opened = await afterChanging(
      rows,
      ({ on, name, command }) => `alter policy ${name} on ${on} ${openOf(command)}`,
    )
    expect(opened).toEqual(
      expect.arrayContaining(
        rows.map(({ on, name }) => `The policy ${name} on ${on} does not ask for the scope.`),
      ),
    )
  })

  it('every table that does not force row-level security, or has it switched off', async () => {
    const all = [...tables, { name: 'tenants' }]
    const unforced = await afterChanging(all, ({ name }) => `alter table ${name} no force row level security`)
    expect(unforced).toEqual(
      expect.arrayContaining(all.map(({ name }) => `The table ${name} does not force row-level security.`)),
    )
    const off = await afterChanging(all, ({ name }) => `alter table ${name} disable row level security`)
    expect(off).toEqual(
      expect.arrayContaining(all.map(({ name }) => `The table ${name} has row-level security switched off.`)),
    )
  })

  it.each([
    ['create table loose (id int)', 'The table loose has no tenant_id.'],
    ['create table half (tenant_id uuid)', 'The table half has no tenant_id.'],
    [
      'create policy extra on users for select using (scope_tenant() is null)',
      'The policy extra on users is not one that we know.',
    ],
    ['alter policy lookup_reads on users to public', 'The policy lookup_reads on users is for public.'],
    [
      'alter table lifts add reaches bigint; create unique index lone on users (id); alter table lifts add foreign key (reaches) references users (id)',
      'The foreign key lifts_reaches_fkey of lifts does not reach users by the tenant first.',
    ],
    [
      'alter table lifts add reaches bigint; create unique index turned on users (id, tenant_id); alter table lifts add foreign key (reaches, tenant_id) references users (id, tenant_id)',
      'The foreign key lifts_reaches_tenant_id_fkey of lifts does not reach users by the tenant first.',
    ],
    [
      'create unique index lone on lifts (title)',
      'The unique key lone of lifts does not begin with the tenant.',
    ],
    ['create view peephole as select * from users', 'The view peephole is not security_invoker.'],
    [
      `create function door() returns bigint language sql security definer as 'select count(*) from users'`,
      'The function door() may be called by everybody.',
    ],
    [
      'alter function find_session(bytea) reset search_path',
      'The function find_session(bytea) has no search_path that ends with pg_temp.',
    ],
    [
      'grant execute on function find_session(bytea) to public',
      'The function find_session(bytea) may be called by everybody.',
    ],
    [
      'alter function find_session(bytea) owner to liftwell_owner',
      'The function find_session(bytea) runs as liftwell_owner.',
    ],
    ['alter role liftwell_app bypassrls', 'The role liftwell_app has bypassrls.'],
    ['grant liftwell_owner to liftwell_worker', 'The role liftwell_worker is a member of liftwell_owner.'],
    ['grant select on identity.users to liftwell_app', 'liftwell_app has SELECT on identity.users.'],
    ['grant select on users to liftwell_identity', 'liftwell_identity has SELECT on users.'],
    ['grant truncate on users to liftwell_worker', 'The table users may be truncated.'],
    ['grant select on users to public', 'Everybody has SELECT on users.'],
  ])('%s', async (change, finding) => {
    expect(await afterwards(change, findings)).toContain(finding)
  })
})

describe('Every table', () => {
  it('shows the app no rows without a scope', async () => {
    for (const { name } of [...tables, { name: 'tenants' }]) {
      expect([name, await visible(database.app, {}, name)]).toEqual([name, []])
    }
  })

  it('shows the worker no rows without a scope, except dispatches', async () => {
    for (const { name } of [...tables, { name: 'tenants' }]) {
      const all = name === 'dispatches' ? rowsAt(name, () => true) : []
      expect([name, await visible(database.worker, {}, name)]).toEqual([name, all])
    }
  })

  it('shows a tenant its own rows and no others', async () => {
    for (const { name } of filled()) {
      for (const tenant of [acme, globex]) {
        const own = rowsAt(name, (place) => place.tenant === tenant)
        expect([name, await visible(database.app, { tenant }, name)]).toEqual([name, own])
        expect([name, await visible(database.worker, { tenant }, name)]).toEqual([name, own])
      }
      expect([name, await visible(database.app, { tenant: randomUUID() }, name)]).toEqual([name, []])
    }
  })

  it('shows a sub-tenant its own rows and no others', async () => {
    for (const { name } of filled().filter((table) => !WHOLE_TENANT.includes(table.name))) {
      const own = rowsAt(name, (place) => place.sub === north)
      expect([name, await visible(database.app, { tenant: acme, sub: north }, name)]).toEqual([name, own])
      // The sub-tenant belongs to another tenant.
      expect([name, await visible(database.app, { tenant: acme, sub: east }, name)]).toEqual([name, []])
    }
  })

  it('refuses to insert, give away or delete rows of another tenant', async () => {
    const foreign = PLACES.find((place) => place.tenant === globex) as Place
    const known = rowsOf.get(foreign.name) as Rows
    for (const table of filled()) {
      for (const scope of [{ tenant: acme }, {}]) {
        const attempt = (text: string, values: unknown[] = []) =>
          inScope(database.app, scope, text, values).then(
            ({ changed }) => changed,
            (error) => error.code,
          )
        const { text, values } = insertion(table, foreign, known)
        expect([table.name, await attempt(text, values)]).toEqual([table.name, '42501'])
        const give = await attempt(`update ${table.name} set tenant_id = $1`, [globex])
        expect([table.name, give]).toEqual([table.name, scope.tenant || give === '42501' ? '42501' : 0])
        const remove = await attempt(`delete from ${table.name} where tenant_id = $1`, [globex])
        expect([0, '42501']).toContain(remove)
      }
    }
  })

  it('refuses to insert or delete rows of another sub-tenant', async () => {
    const south = PLACES.find(({ name }) => name === 'acme-south') as Place
    const known = rowsOf.get(south.name) as Rows
    const scope = { tenant: acme, sub: north }
    // A person belongs to the tenant; their roles name the sub-tenants.
    for (const table of filled().filter(({ name }) => ![...WHOLE_TENANT, 'users'].includes(name))) {
      const { text, values } = insertion(table, south, known)
      const insert = await inScope(database.app, scope, text, values).catch((error) => error.code)
      expect([table.name, insert]).toEqual([table.name, '42501'])
      const remove = `delete from ${table.name} where ctid = $1::tid`
      const removed = await inScope(database.app, scope, remove, [known.get(table.name)?.at]).then(
        ({ changed }) => changed,
        (error) => error.code,
      )
      // A table without deletions refuses the command itself.
      expect([table.name, removed]).toEqual([table.name, table.name === 'audit_events' ? '42501' : 0])
    }
  })

  it('shows a sub-tenant its own and the company’s files, and none of another sub-tenant', async () => {
    const shown = rowsAt('files', ({ tenant, sub }) => tenant === acme && (sub === north || sub === null))
    expect(await visible(database.app, { tenant: acme, sub: north }, 'files')).toEqual(shown)
    const change = `update files set file_name = 'mine' where true`
    const { changed } = await inScope(database.app, { tenant: acme, sub: north }, change)
    expect(changed).toBe(1)
  })

  it('keeps a scope for one transaction only', async () => {
    const single = connect(database.appUrl, { max: 1 })
    expect(await visible(single, { tenant: acme }, 'users')).not.toEqual([])
    expect((await sql`select * from users`.execute(single)).rows).toEqual([])
    await single.destroy()
  })
})
