/** Repeated statements are parsed once on a connection, and planned each time. */
import { setImmediate as soon } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '#app/db/connect.server.ts'
import { nameStatements, plannedOnce } from '#app/db/plans/named.server.ts'
import { openPool } from '#app/db/pool.server.ts'
import type { DB } from '#app/db/schema.ts'
import { inScope, inSnapshot, type Scope, scopeTenant, systemActor } from '#app/domain/scope/scope.server.ts'
import { shareReads } from '#app/domain/scope/shared-reads.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
/** A pool of one connection. */
let app: Kysely<DB>
let admin: Kysely<DB>

beforeAll(async () => {
  database = await createTestDatabase()
  app = connect(database.appUrl, { max: 1 })
  admin = connect(database.adminUrl, { max: 1 })
})
afterAll(async () => {
  await app?.destroy()
  await admin?.destroy()
  await database?.drop()
})

const ONE = '00000000-0000-4000-8000-000000000001'
const named = async () =>
  (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(app)).rows.map(
    ({ statement }) => statement,
  )
const ask = (value: number) => sql<{ said: number }>`select ${value}::int as said`.execute(app)

const readPools = ({ db }: Scope) => db.selectFrom('pools').selectAll().where('id', '=', 'default').execute()

describe('A statement', () => {
  it('is prepared under a name once it is repeated, and uses its own values each time', async () => {
    await ask(1)
    expect((await named()).filter((text) => text.includes('as said'))).toEqual([])
    for (const value of [2, 3, 4]) expect((await ask(value)).rows).toEqual([{ said: value }])
    expect((await named()).filter((text) => text.includes('as said'))).toHaveLength(1)
  })

  it('is planned again for each tenant', async () => {
    const { rows } = await sql<{ plan_cache_mode: string }>`show plan_cache_mode`.execute(app)
    expect(rows).toEqual([{ plan_cache_mode: 'force_custom_plan' }])
    for (const tenant of [ONE, ONE.replace('1', '2'), ONE, ONE]) {
      await shareReads(app)(systemActor(tenant), readPools)
      await soon()
    }
    const plans = await sql<{ generic: number }>`select sum(generic_plans)::int as generic
      from pg_prepared_statements where not statement like '%set_config%'`.execute(app)
    expect(plans.rows).toEqual([{ generic: 0 }])
  })

  it('is planned once per size of tenant where it asks for that, and shows each tenant its own rows', async () => {
    const [one, two, many] = ['3', '4', '5'].map((digit) => ONE.replace('1', digit)) as [
      string,
      string,
      string,
    ]
    await sql`insert into pools (id, name, kind, issuer, client_id)
      values ('known', 'k', 'oidc', 'i', 'c') on conflict do nothing`.execute(admin)
    for (const id of [one, two, many])
      await sql`insert into tenants (id, name, customer_type, timezone, pool_id)
        values (${id}, ${id}, 'Single Tenant', 'UTC', 'known')`.execute(admin)
    await sql`insert into users (tenant_id, email, first_name, last_name, activation_status)
      select ${many}, 'many-' || n || '@many.example', 'Mara', n::text, 'active' from generate_series(1, 8000) n`.execute(
      admin,
    )
    await sql`analyze users`.execute(admin)
    const readOwn = plannedOnce((db) => db.selectFrom('tenants').select('id').where('id', '=', scopeTenant))
    for (const id of Array(6).fill([one, two, many]).flat()) {
      expect(await shareReads(app)(systemActor(id), ({ db }) => readOwn(db))).toEqual([{ id }])
      await soon()
      // Waits for the query of the tenant's size, which uses the only connection.
      await ask(0)
    }
    const { rows } = await sql<{ generic_plans: number; custom_plans: number }>`
      select generic_plans::int, custom_plans::int from pg_prepared_statements
      where statement like '%planned once%' and not statement like '%pg_prepared%' order by 1`.execute(app)
    expect(rows.map(({ custom_plans }) => custom_plans)).toEqual([0, 0])
    const [ofMany = 0, ofFew = 0] = rows.map(({ generic_plans }) => generic_plans)
    expect(ofMany).toBeGreaterThan(2)
    expect(ofFew).toBeGreaterThan(ofMany)
    const readPool = plannedOnce((db) => db.selectFrom('pools').select('id').where('id', '=', 'known'))
    await expect(readPool(app)).rejects.toThrow('has parameters')
  })

  it('has plans for at most eight sizes of tenants on one connection', async () => {
    const pool = openPool(database.appUrl, { max: 1, options: '-c plan_cache_mode=force_custom_plan' })
    // Each tenant has its own size.
    pool.on('connect', nameStatements({ keepsPlans: false, sizes: { of: (tenant) => tenant } }))
    const other = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
    const readUsers = plannedOnce((db) =>
      db.selectFrom('users').select('id').where('tenant_id', '=', scopeTenant),
    )
    for (let nth = 0; nth < 30; nth++) {
      const tenant = ONE.replace(/01$/, String(10 + (nth % 10)))
      expect(await shareReads(other)(systemActor(tenant), ({ db }) => readUsers(db))).toEqual([])
      await soon()
    }
    const { rows } =
      await sql`select from pg_prepared_statements where statement like '%from "users"%'`.execute(other)
    await other.destroy()
    expect(rows).toHaveLength(8)
  })

  it('keeps working after its table changed, alone or among the shared reads of a request', async () => {
    const alone = () => sql`select * from pools where id = ${'default'}`.execute(app)
    const together = () => shareReads(app)(systemActor(ONE), readPools)
    const both = async () => {
      await alone()
      await together()
      await soon()
    }
    for (let time = 0; time < 4; time++) await both()
    expect((await named()).filter((text) => text.includes('pools'))).toHaveLength(2)
    await sql`alter table pools add column tried text`.execute(admin)
    for (let time = 0; time < 3; time++) await both()
    await sql`alter table pools drop column tried`.execute(admin)
    await both()
  })

  it('is not named inside a snapshot', async () => {
    const count = ({ db }: Scope) => db.selectFrom('pools').select('id').where('name', '=', 'whole').execute()
    for (let time = 0; time < 5; time++) await inSnapshot(app, systemActor(ONE), count)
    expect((await named()).some((text) => text.includes('from "pools" where "name" = '))).toBe(false)
  })

  it('is not named in a transaction that can write', async () => {
    const count = ({ db }: Scope) =>
      db.selectFrom('tenants').select('id').where('name', '=', 'nobody').execute()
    for (let time = 0; time < 5; time++) await inScope(app, systemActor(ONE), count)
    expect((await named()).some((text) => text.includes('where "name" = '))).toBe(false)
  })
})
