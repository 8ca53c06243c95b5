/** Deleted data can be restored for 30 days; then it is gone from every table, file and account. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOutbox } from '#app/integrations/mail/outbox.server.ts'
import { createOutboxFolder } from '#app/integrations/mail/outbox-folder.server.ts'
import { outboxStore } from '#app/jobs/sending/outbox-store.server.ts'
import type { Workers } from '#app/jobs/workers.server.ts'
import type { FilesWorld } from '#tests/api/files/files-world.ts'
import { COUNTED, fill, tablesOfTenants } from '#tests/api/isolation/catalogue-rows.ts'
import { tracesOf } from '#tests/api/people/traces.ts'
import { CLIP } from '#tests/support/clip.ts'

const CANARY = 'zqcanary'
const data = mkdtempSync(join(tmpdir(), 'liftwell-purging-'))
const outbox = join(data, 'outbox')
const store = join(data, 'files')
let world: FilesWorld
let workers: Workers

beforeAll(async () => {
  process.env.LOG_LEVEL = 'silent'
  process.env.FILES_DIR = store
  world = await (await import('#tests/api/files/files-world.ts')).createFilesWorld()
  const outboxFolder = createOutboxFolder(outbox)
  workers = await world.workers(createOutbox(outboxStore(world.database.worker), outboxFolder), {
    outboxFolder,
  })
})
afterAll(async () => {
  await workers?.stop()
  await world?.drop()
  rmSync(data, { recursive: true, force: true })
})

const run = async (statement: string, values: unknown[] = []) =>
  (await world.admin.query(statement, values)).rows
const stored = () =>
  readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((name) => /\/[0-9a-f-]{36}$/.test(name))
const messages = () => readdirSync(outbox).map((name) => readFileSync(join(outbox, name), 'utf8'))
const sofia = (method: string, path: string, body?: unknown) => world.call('sofia', method, path, body)
const old = (table: 'tenants' | 'sub_tenants', id: string, days: string) =>
  run(`update ${table} set deleted_on = now() - $2::interval where id = $1`, [id, days])
async function tonight(): Promise<void> {
  await run(`select graphile_worker.add_job('purge-deleted')`)
  // The first run adds jobs for the second.
  await workers.drain()
  await workers.drain()
}
/** How many rows of a tenant each table has. */
async function rowsOf(tenant: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of await tablesOfTenants(world.admin)) {
    const [row] = await run(`select count(*)::int as count from ${name} where tenant_id = $1`, [tenant])
    if (row?.count > 0) counts[name] = row?.count
  }
  return counts
}

describe('A sub-tenant', () => {
  it('that was deleted is listed, and can be restored as inactive', async () => {
    const { south } = world
    await world.must('adam', 'DELETE', `/tenants/me/sub_tenants/${south}`)
    const listed = await world.must('adam', 'GET', '/tenants/me/sub_tenants?deleted=true')
    expect(listed.data).toMatchObject([{ id: south, deleted_on: expect.stringMatching(/^\d{4}-/) }])
    expect((await world.call('uri', 'POST', `/tenants/me/sub_tenants/${south}/restore`)).status).toBe(403)
    expect((await world.call('greta', 'POST', `/tenants/me/sub_tenants/${south}/restore`)).status).toBe(404)
    const back = await world.must('adam', 'POST', `/tenants/me/sub_tenants/${south}/restore`)
    expect(back).toMatchObject({ status: 'inactive', deleted_on: null })
    const again = await world.call('adam', 'POST', `/tenants/me/sub_tenants/${south}/restore`)
    expect([again.status, again.json.detail]).toEqual([409, 'This sub-tenant is not deleted.'])
  })

  it('is purged after 30 days with its journeys, files and messages, and the rest of the company stays', async () => {
    const { acme, north, people } = world
    const kept = await world.draft(['uri'], { name: 'Of the whole' })
    const gone = await world.draft(['aya'], { name: `Of the part ${CANARY}` })
    for (const { id } of [kept, gone])
      await world.must('adam', 'POST', `/lljs/${id}/launch`, {
        send_now: true,
        skip_past: false,
        expected_recipients: 1,
      })
    await workers.drain()
    await run('update journeys set sub_tenant_id = $1 where id = $2', [north, gone.id])
    await run(`insert into user_imports (tenant_id, sub_tenant_id, file_name, dry_run, send_welcome, result)
      values ('${acme}', '${north}', '${CANARY}.csv', false, false, '')`)
    const { json } = await world.upload('nora', CLIP, 'audio/mpeg', `${CANARY}.mp3`, { sub: north })
    expect(json.src).toBeDefined()
    await workers.drain()
    expect(stored()).toHaveLength(1)
    await world.must('adam', 'DELETE', `/tenants/me/sub_tenants/${north}`)

    await old('sub_tenants', north, '29 days 23 hours')
    await tonight()
    expect(stored()).toHaveLength(1)
    await old('sub_tenants', north, '30 days 1 minute')
    expect((await world.call('adam', 'POST', `/tenants/me/sub_tenants/${north}/restore`)).status).toBe(404)
    expect((await world.must('adam', 'GET', '/tenants/me/sub_tenants?deleted=true')).data).toEqual([])
    await tonight()
    expect(stored()).toEqual([])
    const traces = await tracesOf(world.admin, [CANARY, north])
    // Notifications stay with their recipients, and the audit log stays with the company.
    const record = ['changes', 'sub_tenant_id', 'subject_id', 'subject_name'].map(
      (column) => `audit_events.${column}`,
    )
    expect(traces).toEqual([...record, 'notifications.content'])
    expect(await run('select id from journeys order by id')).toEqual([{ id: String(kept.id) }])
    expect(await run('select recipient from outbox_messages')).toEqual([{ recipient: people.uri.email }])
    const { data } = await world.must('adam', 'GET', '/audit_events?action=sub_tenant.purged')
    expect(data).toMatchObject([{ actor: null, subject: { id: north, name: 'Acme North' } }])
  })
})

describe('A company', () => {
  it('that was deleted is listed, and can be restored as inactive', async () => {
    const { globex } = world
    await world.must('sofia', 'DELETE', `/tenants/${globex}`)
    expect((await world.must('sofia', 'GET', '/tenants?deleted=true')).data).toMatchObject([
      { id: globex, deleted_on: expect.stringMatching(/^\d{4}-/) },
    ])
    expect((await world.call('greta', 'POST', `/tenants/${globex}/restore`)).status).toBe(403)
    expect((await world.call('adam', 'POST', `/tenants/${globex}/restore`)).status).toBe(404)
    const back = await sofia('POST', `/tenants/${globex}/restore`)
    expect([back.status, back.json.status, back.json.deleted_on]).toEqual([200, 'inactive', null])
    expect((await sofia('POST', `/tenants/${globex}/restore`)).status).toBe(409)
    expect((await world.must('sofia', 'GET', '/tenants?deleted=true')).data).toEqual([])
  })

  it('cannot be restored if another company now has its name', async () => {
    const { id } = await world.must('sofia', 'POST', '/tenants', { name: 'Twice' })
    await world.must('sofia', 'DELETE', `/tenants/${id}`)
    await world.must('sofia', 'POST', '/tenants', { name: 'Twice' })
    const refused = await sofia('POST', `/tenants/${id}/restore`)
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      { name: ['Another tenant already has this name.'] },
    ])
  })

  it('is purged after 30 days from every table, folder and account, and another company keeps its rows', async () => {
    const { acme, globex, home, south, people } = world
    await world.must('sofia', 'PUT', `/tenants/${acme}`, { name: `Acme ${CANARY}` })
    await world.upload('adam', CLIP, 'audio/mpeg', `${CANARY}.mp3`)
    await world.must('adam', 'POST', '/users', {
      first_name: CANARY,
      last_name: CANARY,
      email: `${CANARY}@people.example`,
      user_general_roles: [{ role: 'user', sub_tenant_id: null }],
      send_welcome: true,
    })
    await workers.drain()
    const tables = await tablesOfTenants(world.admin)
    await run(
      `insert into pools (id, name, kind, issuer, client_id) values ('catalogue', 'c', 'oidc', 'i', 'c')`,
    )
    await fill(world.admin, tables, { name: `${CANARY}-acme`, tenant: acme, sub: south })
    await fill(world.admin, tables, { name: 'of-globex', tenant: globex, sub: null })
    for (const name of COUNTED) await run(`alter table ${name} enable trigger user`)
    // Otherwise a job would add them to the sums.
    await run('delete from fact_user_changes')
    await run(
      `insert into sessions (tenant_id, user_id, id_hash, pool_id, tokens_sealed, access_expires_at, expires_at,
         impersonated_tenant_id)
       select $1, $2, 'inside', id, 'x', now(), now() + interval '1 day', $3 from pools where is_default`,
      [home, people.sofia.user_id, acme],
    )
    await run(`update user_identities set issuer = p.issuer from pools p
      where p.is_default and subject like 'sub-of-%'`)
    const before = await rowsOf(globex)
    expect(Object.keys(await rowsOf(acme)).length).toBe(tables.length - 1)
    expect(messages().some((text) => text.includes(CANARY))).toBe(true)

    await world.must('sofia', 'DELETE', `/tenants/${acme}`)
    await old('tenants', acme, '29 days 23 hours')
    await tonight()
    expect(Object.keys(await rowsOf(acme)).length).toBe(tables.length - 1)
    await old('tenants', acme, '30 days 1 minute')
    expect((await sofia('POST', `/tenants/${acme}/restore`)).status).toBe(404)
    await tonight()

    expect(await rowsOf(acme)).toEqual({})
    expect(await run('select from tenants where id = $1', [acme])).toEqual([])
    expect(await rowsOf(globex)).toEqual(before)
    expect(await run('select from sessions where tenant_id = $1', [home])).toEqual([])
    expect(stored()).toEqual([])
    expect(messages().filter((text) => text.includes(CANARY))).toEqual([])
    expect(world.accounts).toContain(`sub-of-${CANARY}@people.example is erased`)
    // One event in the operator's audit log records the name.
    expect(await tracesOf(world.admin, [CANARY])).toEqual(['audit_events.subject_name'])
    const { data } = await world.must('sofia', 'GET', '/audit_events?action=tenant.purged')
    expect(data).toMatchObject([
      { actor: null, subject: { type: 'tenant', id: acme, name: `Acme ${CANARY}` } },
    ])
  }, 60_000)
})

describe('The database function for purging', () => {
  const attempt = (scope: string, statement: string) =>
    world.admin
      .query(`begin; set local role liftwell_worker; ${scope}; ${statement}; rollback`)
      .then(
        () => 'done',
        (error) => error.code,
      )
      .finally(() => world.admin.query('rollback'))
  const inside = (tenant: string) =>
    `select set_config('app.tenant_id', '${tenant}', true), set_config('app.operator', 'on', true)`

  it('accepts only tenants deleted long enough ago, and is closed to the role of the app', async () => {
    const { globex, home } = world
    for (const tenant of [globex, home])
      expect(await attempt(inside(tenant), 'select purge_tenant()')).toBe('42501')
    const { id } = await world.must('sofia', 'POST', '/tenants', { name: 'Lately' })
    await world.must('sofia', 'DELETE', `/tenants/${id}`)
    expect(await attempt(inside(id), 'select purge_tenant()')).toBe('42501')
    await old('tenants', id, '31 days')
    expect(await attempt(inside(id), 'select purge_tenant()')).toBe('done')
    const [granted] = await run(
      `select has_function_privilege('liftwell_app', 'purge_tenant()', 'execute') as it`,
    )
    expect(granted).toEqual({ it: false })
  })
})
