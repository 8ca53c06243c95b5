/** Hostile text in every text field, on every screen that a role can reach: it is shown, and never executed. */
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from '#app/api/app.server.ts'
import type { Principal } from '#app/auth/principal.ts'
import { connect } from '#app/db/connect.server.ts'
import type { DB } from '#app/db/schema.ts'
import { MARKUP, runIn, showsIn } from '#tests/attacks/hostile-text.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { type Call, writeEverywhere } from './hostile-world.ts'
import { type Seen, walk } from './walking.ts'

const [PAYLOAD = ''] = MARKUP
const NAME = `${PAYLOAD}.csv`

let site: Site
let admin: pg.Client
let database: Kysely<DB>
let api: ReturnType<typeof createApi>
const written: string[] = []

const run = async (sql: string, values: unknown[] = []) => (await admin.query(sql, values)).rows
const idOf = async (sql: string, values: unknown[] = []) => String((await run(sql, values))[0]?.id ?? '')

beforeAll(async () => {
  site = await openSite()
  admin = await site.connectAdmin()
  database = connect(process.env.DATABASE_URL ?? '', { max: 2 })
  api = createApi({ database: () => database })
  await fillCompany('adam@northwind.example')
  await fillCompany('tess@testing.example')
  await fillPlatform()
}, 240_000)
afterAll(async () => {
  await database?.destroy()
  await site?.close()
})

async function principalOf(email: string): Promise<Principal> {
  const [row] = await run(
    `select u.*, u.id::int as user_id, t.pool_id, 'active' as tenant_status, coalesce((select jsonb_agg(jsonb_build_object('role', r.role,
      'tenant_id', r.tenant_id, 'sub_tenant_id', r.sub_tenant_id)) from user_general_roles r where r.user_id = u.id), '[]') as roles
     from users u join tenants t on t.id = u.tenant_id where u.email = $1`,
    [email],
  )
  return row as Principal
}

async function callerOf(email: string) {
  const principal = await principalOf(email)
  const send = (method: string, path: string, body: unknown) => {
    const headers = new Headers({ authorization: 'Bearer known', 'x-tenant-id': principal.tenant_id })
    if (!(body instanceof FormData)) headers.set('content-type', 'application/json')
    const request = new Request(`http://api.test/api/v1${path}`, {
      method,
      headers,
      body: body instanceof FormData ? body : JSON.stringify(body),
    })
    return api.fetch(request, { caller: { token: 'known', principal } })
  }
  const call: Call = async (method, path, body) => {
    const answer = await send(method, path, body)
    return { status: answer.status, json: await answer.json().catch(() => null) }
  }
  return { call, principal }
}

const fileOf = (name: string, text: string) => {
  const form = new FormData()
  form.set('file', new File([text], name, { type: 'text/csv' }))
  return form
}

/** Uses all calls that write text, and SQL for what only learners, time and browsers write. */
async function fillCompany(email: string): Promise<void> {
  const { call, principal } = await callerOf(email)
  const { tenant_id } = principal
  const own = (table: string, more = '') =>
    idOf(`select id from ${table} where tenant_id = $1 ${more} order by id limit 1`, [tenant_id])
  const journey = await own('journeys', `and sub_tenant_id is null and status <> 'archived'`)
  const lift = await idOf('select id from lifts where journey_id = $1 order by position limit 1', [journey])
  const upload = await call('POST', '/files', fileOf(NAME, 'a,b\n1,2'))
  const assessment = await call('POST', `/lljs/${journey}/assessments`, {
    ...{ name: 'A', phase: 'pre', raters: ['self'], opens: { kind: 'offset', from: 'start', days: 1 } },
    items: [{ text: 'Q', kind: 'text' }],
  })
  const objective = await call('POST', `/lljs/${journey}/learning_objectives`, { code: 'C', text: 'O' })
  const prompt = await call('POST', `/lifts/${lift}/prompts`, { kind: 'short_text', text: 'Q' })
  const ids = {
    ...{ tenant: tenant_id, journey, lift, sub_tenant: await own('sub_tenants') },
    user: await own('users', `and email <> '${email}'`),
    prompt: String(prompt.json?.id),
    objective: String(objective.json?.id),
    assessment: String(assessment.json?.id),
    member: await idOf('select id from members where journey_id = $1 limit 1', [journey]),
  }
  const src = String(upload.json?.src)
  written.push(...(await writeEverywhere(call, ids, src, /^(POST|PUT|PATCH) (?!.*(launch|me\/contacts))/)))
  await call(
    'POST',
    '/users/import',
    fileOf(NAME, `email,first_name,last_name\n"${PAYLOAD.replaceAll('"', '""')}",=1,@x`),
  )
  const json = JSON.stringify({ title: PAYLOAD, message: PAYLOAD })
  await run(
    `insert into notifications (tenant_id, user_id, notification_type, content)
     select tenant_id, id, 'info', $2 from users where tenant_id = $1`,
    [tenant_id, json],
  )
  await run(
    'update responses set value = to_jsonb($2::text) where tenant_id = $1 and jsonb_typeof(value) = $3',
    [tenant_id, PAYLOAD, 'string'],
  )
  await run(
    `insert into outbox_messages (tenant_id, key, channel, recipient, subject, body)
     values ($1, $2, 'email', 'x@y.example', $2, $2)`,
    [tenant_id, PAYLOAD],
  )
  await run(
    'update audit_events set changes = jsonb_build_object($2::text, $2::text) where tenant_id = $1 and id % 3 = 0',
    [tenant_id, PAYLOAD],
  )
  await run(
    `update users set first_name = left($2, 70), last_name = left($2, 70), job_title = left($2, 70) where tenant_id = $1`,
    [tenant_id, PAYLOAD],
  )
}

async function fillPlatform(): Promise<void> {
  const { call } = await callerOf('sofia@liftwell.example')
  const tenant = await idOf(`select id from tenants where name like 'Harbor%'`)
  written.push(...(await writeEverywhere(call, { tenant }, '', /^(POST|PUT) \/tenants(\/\{id\})?$/)))
  const north = await idOf(`select tenant_id as id from users where email = 'adam@northwind.example'`)
  await run(`update sub_tenants set name = left($2, 60) || id where tenant_id = $1 and status = 'active'`, [
    north,
    PAYLOAD,
  ])
  await run('update sessions set user_agent = $1', [PAYLOAD])
}

async function comeIn(email: string, inside?: string): Promise<Visitor> {
  const visitor = await site.visitor(email)
  if (!inside) return visitor
  const place = await idOf('select tenant_id as id from users where email = $1', [inside])
  await visitor.submit('/switch', { place, reason: PAYLOAD })
  return visitor
}

/** No page links to finished imports. */
const importsSeen = async () =>
  (await run('select id from user_imports')).map(({ id }) => `/users/import/${id}`)

const WHO: { email: string; start: string; inside?: string; shows: string[] }[] = [
  { email: 'uri@northwind.example', start: '/', shows: ['/lift/*', '/notifications', '/settings/profile'] },
  {
    email: 'aya@northwind.example',
    start: '/',
    shows: ['/lljs/manage', '/lljs/*/schedule', '/analytics'],
  },
  {
    email: 'adam@northwind.example',
    start: '/',
    shows: [
      '/settings/audit',
      '/users',
      '/users/edit/*',
      '/users/import/*',
      '/lljs/*/schedule',
      '/subtenants',
      '/settings/company',
    ],
  },
  { email: 'sofia@liftwell.example', start: '/tenants', shows: ['/tenants', '/tenants/edit/*'] },
  {
    email: 'sofia@liftwell.example',
    start: '/',
    inside: 'tess@testing.example',
    shows: ['/testing', '/users', '/settings/audit', '/lift/t/*'],
  },
]

describe('Hostile text', () => {
  it('is written by the calls of users, journeys, lifts, questions, tenants and companies', () => {
    expect(written).toEqual(
      expect.arrayContaining([
        ...['POST /users first_name', 'POST /users last_name', 'POST /users job_title', 'POST /lljs name'],
        ...[
          'PUT /lljs/{id} description',
          'PUT /lifts/{id} title',
          'PUT /lifts/{id} blocks',
          'PUT /lifts/{id} sms_text',
        ],
        ...['PUT /prompts/{id} text', 'PUT /prompts/{id} help', 'PUT /learning_objectives/{id} text'],
        ...['PUT /tenants/{id}/company categories', 'POST /tenants name', 'PUT /users/me first_name'],
      ]),
    )
  })

  it.each(WHO)(
    'is shown to $email from $start, and never executed',
    { timeout: 300_000 },
    async ({ email, start, inside, shows }) => {
      const visitor = await comeIn(email, inside)
      const run: string[] = []
      const shown = new Set<string>()
      const failed: string[] = []
      const look = ({ to, path, html, status, type }: Seen) => {
        if (status >= 500) failed.push(`${to}: ${status}`)
        if (!type.includes('html')) return
        const found = runIn(html)
        if (found) run.push(`${to}: ${found}`)
        if (showsIn(html)) shown.add(path.split('?')[0]?.replace(/[0-9a-f-]{36}|\d+/g, '*') ?? '')
      }
      const unlinked = shows.some((page) => page === '/users') ? await importsSeen() : []
      await walk(visitor, [start, ...unlinked, '/notifications', '/testing'], look)
      expect(run).toEqual([])
      expect(failed).toEqual([])
      expect([...shown].sort()).toEqual(expect.arrayContaining(shows))
    },
  )
})
