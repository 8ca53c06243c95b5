/** Look-ups before a tenant is known, and ordered lists, read few pages of the database even with many tenants. */
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasAddress } from '#app/db/has-address.server.ts'
import { openPool } from '#app/db/pool.server.ts'
import type { DB } from '#app/db/schema.ts'
import { addressState } from '#app/domain/mail-stops/addresses.server.ts'
import { whyNotMailed } from '#app/domain/mail-stops/asking.server.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { unlessTakenWith } from '#app/domain/tenants/admins.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

const TENANTS = 400
const PEOPLE = 50
/** Its people come after all others in the order of addresses. */
const LARGE = '00000000-0000-4000-8000-000000000001'

let database: TestDatabase
let app: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  const admin = await database.connectAdmin()
  await admin.query(`set session_replication_role = replica;
    insert into pools (id, name, kind, issuer, client_id) values ('all', 'All', 'embedded', 'https://all.example', 'c');
    insert into tenants (id, name, pool_id) select gen_random_uuid(), 'Tenant ' || n, 'all' from generate_series(1, ${TENANTS}) n;
    insert into users (tenant_id, email, first_name, last_name, activation_status, mobile_phone)
      select id, 'p' || n || '@' || replace(name, ' ', '-') || '.example', 'Mara', n::text, 'active', '+1202' || lpad((row_number() over ())::text, 7, '0')
      from tenants, generate_series(1, ${PEOPLE}) n;
    insert into tenants (id, name, pool_id) values ('${LARGE}', 'Zenith', 'all');
    insert into users (tenant_id, email, first_name, last_name, activation_status)
      select '${LARGE}', 'z' || n || '@zenith.example', 'Zoe', n::text, 'active' from generate_series(1, 6000) n;
    insert into user_general_roles (tenant_id, user_id, role) select tenant_id, id, 'user' from users;
    insert into user_identities (tenant_id, user_id, issuer, subject) select tenant_id, id, 'https://all.example', id::text from users;
    insert into sessions (id_hash, tenant_id, user_id, pool_id, tokens_sealed, access_expires_at, expires_at)
      select sha256(id::text::bytea), tenant_id, id, 'all', 'x', now() + interval '1 hour', now() + interval '1 day' from users;
    reset session_replication_role`)
  await admin.query('vacuum analyze')
  app = new pg.Client({ connectionString: database.appUrl })
  await app.connect()
})
afterAll(async () => {
  await app?.end()
  await database?.drop()
})

it.each([
  `find_session(sha256('5000'))`,
  `find_principal('https://all.example', '5000')`,
  `find_pool('p7@Tenant-7.example')`,
  `tenants_of_number('+12020005000')`,
  `tenants_of_address('p7@Tenant-7.example')`,
  `taken_emails('{p7@Tenant-7.example}')`,
])('%s reads fewer than 40 database pages', async (call) => {
  // The first call also counts the pages of the schema that a connection reads once.
  await pagesOf(`select * from ${call}`, 1)
  expect(await pagesOf(`select * from ${call}`, 1)).toBeLessThan(40)
})

it('A list of people sorted by e-mail address reads fewer than 40 database pages', async () => {
  await app.query(`set app.tenant_id = '${LARGE}'`)
  const page = 'select id from users order by email, id limit 20'
  await pagesOf(page, 20)
  expect(await pagesOf(page, 20)).toBeLessThan(40)
  await app.query('reset app.tenant_id')
})

it('A person in a large company is found by e-mail address in fewer than 40 database pages', async () => {
  await app.query(`set app.tenant_id = '${LARGE}'`)
  const { sql } = hasAddress('Z5000@zenith.example').compile(database.app)
  const found = `select id from users where ${sql.replace('$1', `'{Z5000@zenith.example}'`)}`
  await pagesOf(found, 1)
  expect(await pagesOf(found, 1)).toBeLessThan(40)
  const others = hasAddress('p7@Tenant-7.example').compile(database.app)
  const { rows } = await app.query(`select from users where ${others.sql}`, [others.parameters[0]])
  expect(rows).toEqual([])
  await app.query('reset app.tenant_id')
})

describe('A query in a large company', () => {
  const email = 'Z5000@zenith.example'
  const admin = { email, first_name: 'Zoe', last_name: 'Z' }
  const asked: Record<string, (scope: Scope) => Promise<unknown>> = {
    'whether an address is taken': (scope) => unlessTakenWith(scope, [admin], async () => {}, LARGE),
    'whether an address is stopped': (scope) => addressState(scope, email),
    'whether an e-mail can be sent': (scope) => whyNotMailed(scope, { email, user_id: 1, journey_id: 1 }),
    'whether an e-mail is refused': ({ db }) =>
      db
        .selectNoFrom((eb) =>
          eb.fn('mail_is_stopped', [eb.val(LARGE), eb.lit(1), eb.lit(1), eb.val(email)]).as('is'),
        )
        .execute(),
  }
  beforeAll(async () => {
    const owner = await database.connectAdmin()
    await owner.query(`insert into address_events (tenant_id, address, kind)
      select '${LARGE}', 'z' || n || '@zenith.example', 'tried_again' from generate_series(1, 6000) n`)
    await owner.query('vacuum analyze address_events')
  })

  it.each(Object.keys(asked))('reads fewer than 40 database pages to find out %s', async (name) => {
    const queries: CompiledQuery[] = []
    const log = ({ query }: { query: CompiledQuery }) => void queries.push(query)
    const watched = new Kysely<DB>({ dialect: new PostgresDialect({ pool: openPool(database.appUrl) }), log })
    await inScope(watched, systemActor(LARGE), (scope) => Promise.resolve(asked[name]?.(scope)))
    await watched.destroy()
    const query = queries.find(({ sql }) => /address_|taken_emails|mail_is_stopped/.test(sql))
    await app.query(`set app.tenant_id = '${LARGE}'`)
    await pagesOf(query?.sql ?? '', null, query?.parameters)
    expect(await pagesOf(query?.sql ?? '', null, query?.parameters)).toBeLessThan(40)
    await app.query('reset app.tenant_id')
  })
})

/** How many pages of the database a statement reads. */
async function pagesOf(
  statement: string,
  rows: number | null,
  parameters: readonly unknown[] = [],
): Promise<number> {
  const found = await app.query(`explain (analyze, buffers, format json) ${statement}`, [...parameters])
  const { Plan } = found.rows[0]['QUERY PLAN'][0]
  if (rows !== null) expect(Plan['Actual Rows']).toBe(rows)
  return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
}
