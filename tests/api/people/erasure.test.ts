/** Everything that a person did in the product, exported and then erased from every table and file. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPool } from '#app/db/pool.server.ts'
import { createIdentity, type Identity } from '#app/identity/provider.server.ts'
import { createOutbox } from '#app/integrations/mail/outbox.server.ts'
import { createOutboxFolder } from '#app/integrations/mail/outbox-folder.server.ts'
import { outboxStore } from '#app/jobs/sending/outbox-store.server.ts'
import type { Workers } from '#app/jobs/workers.server.ts'
import { createJourneysWorld, type JourneysWorld, QUESTION } from '#tests/api/journeys/journeys-world.ts'
import { BY_DAY } from '#tests/support/by-day.ts'
import { tracesOf } from './traces.ts'

const silent = { info() {}, warn() {}, error() {} }
/** In every text that identifies the person, and in no other. */
const CANARY = 'zqcanary'
const FIRST = 'Zqcanaryfirst'
const LAST = "Zqcanary-O'last"
const FULL = `${FIRST} ${LAST}`
const MAIL = { first: 'first@zqcanary.example', now: 'now@zqcanary.example', next: 'next@zqcanary.example' }
const PHONE = { first: '+436601112223', now: '+436602223334', next: '+436603334445' }
const DIGITS = Object.values(PHONE).map((number) => number.slice(1))

let world: JourneysWorld
let admin: pg.Client
let identity: Identity
let workers: Workers
let person: number
const data = mkdtempSync(join(tmpdir(), 'liftwell-erasure-'))
const folder = join(data, 'outbox')

const run = async (sql: string, values: unknown[] = []) => (await admin.query(sql, values)).rows
const files = () => readdirSync(folder).map((name) => `${name}\n${readFileSync(join(folder, name), 'utf8')}`)
const tells = (text: string) =>
  [CANARY, ...DIGITS].some((word) =>
    text
      .replace(/=\r?\n/g, '')
      .toLowerCase()
      .includes(word),
  )

async function codeTo(recipient: string): Promise<string> {
  await workers.drain()
  const [row] = await run('select body from outbox_messages where recipient = $1 order by id desc limit 1', [
    recipient,
  ])
  return /\b\d{6}\b/.exec(row?.body ?? '')?.[0] ?? ''
}

async function changeTo(kind: 'email' | 'phone', value: string): Promise<void> {
  await world.must('uri', 'POST', '/users/me/contacts', { kind, value })
  const code = await codeTo(value)
  await world.must('uri', 'POST', '/users/me/contacts/confirm', { kind, code })
  if (kind === 'email') Object.assign(world.people.uri, { email: value })
}

beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  identity = await createIdentity({
    database: openPool(world.database.identityUrl, { max: 5 }),
    origin: 'http://localhost',
    secret: 'a-secret-for-tests-of-at-least-32-characters',
    pools: async () => [],
    log: silent,
  })
  const outboxFolder = createOutboxFolder(folder)
  workers = await world.workers(createOutbox(outboxStore(world.database.worker), outboxFolder), {
    outboxFolder,
    identityAdmin: identity.admin,
  })
  await live()
}, 60_000)
afterAll(async () => {
  await workers?.stop()
  await identity?.close()
  await world?.drop()
  rmSync(data, { recursive: true, force: true })
})

/** Uses API calls where possible, and SQL for what only time, phones or browsers would cause. */
async function live(): Promise<void> {
  const invited = {
    first_name: FIRST,
    last_name: LAST,
    email: MAIL.first,
    mobile_phone: PHONE.first,
    job_title: 'Keeper of zqcanary birds',
    department: 'House of zqcanary',
    user_general_roles: [{ role: 'user', sub_tenant_id: null }],
    send_welcome: true,
  }
  person = (await world.must('adam', 'POST', '/users', invited, { key: 'zqcanary-key' })).id
  Object.assign(world.people.uri, { user_id: person, email: MAIL.first, first_name: FIRST, last_name: LAST })
  await workers.drain()
  await world.must('uri', 'PUT', '/users/me/consents', { sms_opt_in: true })
  await changeTo('email', MAIL.now)
  await changeTo('phone', PHONE.now)
  await world.must('uri', 'PUT', '/users/me/consents', { sms_opt_in: true })
  await world.must('uri', 'POST', '/users/me/contacts', { kind: 'email', value: MAIL.next })
  await world.must('uri', 'POST', '/users/me/contacts', { kind: 'phone', value: PHONE.next })
  await workers.drain()

  const journey = await world.draft(
    ['aya'],
    { description: `For ${FULL}` },
    { email_subject: `Ask ${LAST}, ${FIRST}`, sms_text: 'Hi {{first_name}}, {{sponsor}} waits: {{link}}' },
  )
  const words = {
    ...QUESTION,
    kind: 'long_text',
    text: `What would ${FULL} say?`,
    options: [],
    scoring: 'none',
  }
  const prompt = await world.must('adam', 'POST', `/lifts/${journey.lift}/prompts`, words)
  const promise = await world.must('adam', 'POST', `/lifts/${journey.lift}/prompts`, {
    ...words,
    kind: 'commitment',
    text: 'What will you do?',
  })
  await world.must('adam', 'POST', `/lljs/${journey.id}/members`, { user_ids: [person] })
  const { data: members } = await world.must('adam', 'GET', `/lljs/${journey.id}/members`)
  const memberOf = (id: number) => members.find((one: { user_id: number }) => one.user_id === id).id
  const learner = memberOf(world.people.aya.user_id)
  await world.must('adam', 'PATCH', `/lljs/${journey.id}/members`, {
    member_ids: [learner],
    sponsor_user_id: person,
  })
  await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, {
    send_now: true,
    skip_past: true,
    expected_recipients: 2,
  })
  await world.must('adam', 'POST', `/lifts/${journey.lift}/send_test`, { phones: [PHONE.now] })
  await workers.drain()
  const answer = (member: number, to: number, value: unknown) =>
    run(
      `insert into responses (tenant_id, member_id, lift_id, prompt_id, prompt_version, value)
       values ($1, $2, $3, $4, 1, $5)`,
      [world.acme, member, journey.lift, to, JSON.stringify(value)],
    )
  await answer(memberOf(person), prompt.id, 'My zqcanary secret')
  await answer(memberOf(person), promise.id, { what: 'Feed the zqcanary', by: '2026-12-01' })
  await answer(learner, prompt.id, `I asked ${FULL}, who said nothing`)

  await assess(journey.id)

  const body = new FormData()
  const rows = [
    'email,first_name,last_name,mobile_phone',
    `${MAIL.now},${FIRST},${LAST},`,
    `${MAIL.first},${FIRST},${LAST},no number`,
    'nell@elsewhere.example,Nell,Near,',
  ].join('\n')
  body.set('file', new File([rows], 'people.csv'))
  const headers = { authorization: 'Bearer adam', 'x-tenant-id': world.acme }
  const request = new Request('http://api.test/api/v1/users/import', { method: 'POST', headers, body })
  expect(
    (await world.api.fetch(request, { caller: { token: 'adam', principal: world.people.adam } })).status,
  ).toBe(202)
  await workers.drain()

  const at = [world.acme, person]
  const [account] = await run('select pool_id, sub from identity.users where username = $1', [MAIL.now])
  await run(
    `insert into identity.models (pool_id, kind, id, payload, expires_at) values
     ($1, 'Session', 's', jsonb_build_object('accountId', $2::text, 'agent', '${CANARY}'), now() + interval '1 day'),
     ($1, 'Interaction', 'i', '{"params": {"login_hint": "Now@Zqcanary.example"}}', now() + interval '1 hour')`,
    [account?.pool_id, account?.sub],
  )
  await run(
    `insert into sessions (tenant_id, user_id, id_hash, pool_id, tokens_sealed, access_expires_at, user_agent, expires_at)
    select $1, $2, '${CANARY}', id, 'x', now(), 'Zqcanary browser', now() + interval '1 day' from pools where is_default`,
    at,
  )
  await run(`insert into sign_in_attempts (state, pool_id, redirect_to, code_verifier, nonce, login_hint, expires_at)
    select 's', id, '/', 'v', 'n', '${MAIL.first}', now() + interval '1 hour' from pools where is_default`)
  await run(
    `insert into inbound_texts (tenant_id, number, body, reading, key)
    values ($1, '${PHONE.now}', 'A zqcanary text', 'other', 'k')`,
    [world.acme],
  )
  await run(
    `insert into files (tenant_id, kind, content_type, file_name, size, sha256, bytes, created_by)
    values ($1, 'file', 'text/plain', $3, 1, '\\x01', 'x', $2)`,
    [...at, `${FULL}.txt`],
  )
  await run(
    `insert into notifications (tenant_id, user_id, notification_type, content) values
    ($1, $2, 'info', '{"title": "A zqcanary notification", "message": "m"}'), ($1, $3, 'info', $4)`,
    [
      ...at,
      world.people.adam.user_id,
      JSON.stringify({ title: `${FULL} is done`, message: `${MAIL.first} or ${PHONE.first}` }),
    ],
  )
  await run(
    `insert into audit_events (tenant_id, actor_id, actor_email, action, subject_type, subject_id, changes)
    values ($1, $2, $3, 'profile.updated', 'user', $4, '{"note": "zqcanary audit"}'),
      ($1, null, null, 'import.done', 'file', 'x', $5)`,
    [...at, MAIL.first, String(person), JSON.stringify({ who: FULL })],
  )
  await world.must(
    'uri',
    'PUT',
    '/users/me',
    { job_title: 'Chief of zqcanary birds' },
    { key: 'zqcanary-own' },
  )
  await world.must('adam', 'GET', `/users/${person}`)
}

/** Answers of the person about themselves and their learner, and of the learner, who names the person. */
async function assess(journey: number): Promise<void> {
  const assessment = await world.must('adam', 'POST', `/lljs/${journey}/assessments`, {
    ...{ name: `After ${FULL}`, phase: 'post', raters: ['self', 'sponsor'] },
    opens: { kind: 'absolute', date: '2020-01-01', time: '09:00' },
    items: [
      { text: `Like ${FULL}?`, kind: 'text' },
      {
        text: 'How often?',
        kind: 'choice',
        options: ['a', 'b'].map((id) => ({ id, text: id, points: null })),
      },
    ],
  })
  // An assessment would not open at night.
  await run('update users set timezone = $1 where id = any($2)', [BY_DAY, [person, world.people.aya.user_id]])
  await workers.drain()
  const [words, choice] = assessment.items
  const say = (who: 'uri' | 'aya', about: number, value: string) =>
    world.must(who, 'PUT', `/assessments/${assessment.id}/forms/${about}`, {
      answers: [
        { item_id: words.id, value },
        { item_id: choice.id, value: 'b' },
      ],
      submit: true,
    })
  await say('uri', person, 'My zqcanary strength')
  await world.must('adam', 'POST', `/assessments/${assessment.id}/forms/${person}/reopen`, {
    reason: `Think again, ${FULL}: zqcanary`,
  })
  await say('uri', person, 'My zqcanary weakness')
  const { aya } = world.people
  await say('aya', aya.user_id, `As good as ${FULL}`)
  await say('uri', aya.user_id, 'She says zqcanary')
}

it('a person’s data is in many tables and files before the erasure', async () => {
  expect(await tracesOf(admin, [CANARY])).toEqual([
    'assessment_forms.answers',
    'assessment_forms.earlier',
    'assessment_forms.reopened_reason',
    'assessment_items.text',
    'assessments.name',
    'audit_events.actor_email',
    'audit_events.changes',
    'audit_events.subject_name',
    'contact_changes.value',
    'files.file_name',
    'idempotency_keys.body',
    'idempotency_keys.key',
    'identity.models.payload',
    'identity.users.attributes',
    'identity.users.username',
    'inbound_texts.body',
    'journeys.description',
    'lift_versions.content',
    'lifts.email_subject',
    'notifications.content',
    'outbox_messages.body',
    'outbox_messages.recipient',
    'outbox_messages.subject',
    'prompts.text',
    'responses.value',
    'sessions.id_hash',
    'sessions.user_agent',
    'sign_in_attempts.login_hint',
    'user_imports.result',
    'users.department',
    'users.email',
    'users.first_name',
    'users.job_title',
    'users.last_name',
    'users.searchable',
  ])
  expect(files().filter(tells).length).toBeGreaterThan(5)
})

it('the data export contains all of the person’s own data, and no answers of other people', async () => {
  const { text } = await world.call('uri', 'GET', `/users/${person}/data_export`)
  for (const own of [
    ...Object.values(MAIL),
    ...Object.values(PHONE),
    FIRST,
    LAST,
    'Chief of zqcanary birds',
    'My zqcanary secret',
    'Feed the zqcanary',
    'My zqcanary strength',
    'My zqcanary weakness',
    'She says zqcanary',
    'A zqcanary notification',
    'A zqcanary text',
    'zqcanary audit',
    'Zqcanary browser',
    `${FULL}.txt`,
  ])
    expect(text).toContain(own)
  const { messages, sponsor_in } = JSON.parse(text)
  const written = new Set(messages.map(({ recipient }: { recipient: string }) => recipient))
  for (const address of [...Object.values(MAIL), PHONE.now, PHONE.next]) expect(written).toContain(address)
  expect(sponsor_in).toMatchObject([{ name: 'Better talks' }])
  expect(text).not.toContain('I asked')
  expect(text).not.toContain('As good as')
})

it('the erasure leaves nothing in any table or file, and keeps the words of other people', async () => {
  const others = files().filter((text) => !tells(text)).length
  await world.must('adam', 'POST', `/users/${person}/erasure`, {})
  await workers.drain()
  // The caller chose this key, so it may contain anything; it is kept with the answer.
  await run(`delete from idempotency_keys where key = 'zqcanary-key'`)
  expect(await tracesOf(admin, [CANARY, ...DIGITS])).toEqual([])
  expect(files().filter(tells)).toEqual([])
  expect(files().length).toBe(others)
  const [{ result }] = (await run('select result from user_imports')) as [{ result: string }]
  expect(result).toContain('nell@elsewhere.example')
  const told = await run(`select body from outbox_messages where recipient = $1 order by id desc limit 1`, [
    world.people.aya.email,
  ])
  expect(told).toEqual([{ body: expect.stringContaining('Hi Aya, [erased] waits:') }])
  const left = await run(`select value from responses where value::text like '%I asked%'`)
  expect(left).toEqual([{ value: 'I asked [erased], who said nothing' }])
  const said = await run(`select f.rater, f.state, array_agg(e.value order by e.key::bigint) as values
    from assessment_forms f, jsonb_each(f.answers) e group by f.tenant_id, f.id order by f.id`)
  expect(said).toEqual([
    { rater: 'self', state: 'submitted', values: ['As good as [erased]', 'b'] },
    { rater: 'self', state: 'submitted', values: ['[erased]', 'b'] },
    { rater: 'sponsor', state: 'submitted', values: ['[erased]', 'b'] },
  ])
  expect(await run('select sponsor_id from members where sponsor_id is not null')).toEqual([])
})

it('the erasure spares a person whose e-mail address ends in the same way', async () => {
  const add = async (first_name: string) =>
    (
      await world.must(
        'adam',
        'POST',
        '/users',
        {
          first_name,
          last_name: '',
          email: `${first_name}@pond.example`,
          user_general_roles: [{ role: 'user', sub_tenant_id: null }],
        },
        { key: `adding ${first_name}` },
      )
    ).id
  const ann = await add('ann')
  await add('joann')
  await run(
    `insert into user_imports (tenant_id, file_name, dry_run, send_welcome, result)
     values ($1, 'pond.csv', false, false, e'1,joann@pond.example,created\n2,ann@pond.example,created\n')`,
    [world.acme],
  )
  await world.must('adam', 'POST', `/users/${ann}/erasure`, {})
  const kept = await run(`select result from user_imports where file_name = 'pond.csv'`)
  expect(kept).toEqual([{ result: '1,joann@pond.example,created\n' }])
  expect((await run(`select from idempotency_keys where body like '%joann@pond%'`)).length).toBe(1)
  expect((await run(`select from idempotency_keys where body like '%"ann@pond%'`)).length).toBe(0)
})

it('an erased super admin is gone from the audit logs of the companies they worked in', async () => {
  const email = 'super@zqcanary.example'
  const [row] = await run(
    `insert into users (tenant_id, email, first_name, last_name, is_super_admin, activation_status)
     values ($1, $2, 'Zed', 'Super', true, 'active') returning id`,
    [world.home, email],
  )
  await run(
    `insert into audit_events (tenant_id, actor_id, actor_email, action, subject_type, on_behalf_of)
     values ($1, $2, $3, 'company.updated', 'tenant', $1)`,
    [world.globex, row?.id, email],
  )
  expect(await tracesOf(admin, [email])).toEqual([
    'audit_events.actor_email',
    'users.email',
    'users.searchable',
  ])
  await world.must('sofia', 'POST', `/users/${row?.id}/erasure`, {})
  expect(await tracesOf(admin, [email])).toEqual([])
})
