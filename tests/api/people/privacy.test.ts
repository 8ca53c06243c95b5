/** A person's own data: exported, corrected with proof, and erased from every table. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '#app/db/pool.server.ts'
import { drawCode } from '#app/domain/account/code.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { createIdentity } from '#app/identity/provider.server.ts'
import { createJourneysWorld, type JourneysWorld, QUESTION } from '#tests/api/journeys/journeys-world.ts'
import { tracesOf } from './traces.ts'

const silent = { info() {}, warn() {}, error() {} }
/** Texts that identify this person and no other. */
const CANARY = {
  first_name: 'Quillfeather',
  last_name: 'Marzipandottir',
  email: 'quill.canary@zebra-meadow.example',
  mobile_phone: '+436601234567',
  job_title: 'Keeper of canaries',
  words: 'My secret plan is turquoise',
}
const DIGITS = CANARY.mobile_phone.slice(1)

let world: JourneysWorld
let admin: pg.Client
let person: number
beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
})
afterAll(() => world?.drop())

const traces = (words: readonly string[]) => tracesOf(admin, words)

const ask = async (...call: Parameters<JourneysWorld['call']>) => {
  const { status, json } = await world.call(...call)
  return [status, json?.detail ?? null]
}

describe('A phone number or e-mail address', () => {
  const codeTo = async (recipient: string) => {
    await world.drain()
    const { rows } = await admin.query(
      'select body from outbox_messages where recipient = $1 order by id desc limit 1',
      [recipient],
    )
    return /\d{6}/.exec(rows[0]?.body ?? '')?.[0] ?? ''
  }

  it('is changed once with the code that was sent to it', async () => {
    const value = '+43 660 7654321'
    const asked = await world.call('uri', 'POST', '/users/me/contacts', { kind: 'phone', value })
    expect([asked.status, asked.json.pending[0].destination]).toEqual([202, '********4321'])
    const code = await codeTo('+436607654321')
    const wrong = code === '000000' ? '000001' : '000000'
    expect(
      (await world.call('uri', 'POST', '/users/me/contacts/confirm', { kind: 'phone', code: wrong })).status,
    ).toBe(422)
    expect(
      (await world.call('adam', 'POST', '/users/me/contacts/confirm', { kind: 'phone', code })).status,
    ).toBe(422)
    const confirm = () => world.call('uri', 'POST', '/users/me/contacts/confirm', { kind: 'phone', code })
    // A form that is sent twice makes one change.
    for (const done of await Promise.all([confirm(), confirm()])) {
      expect([done.status, done.json.mobile_phone, done.json.pending]).toEqual([200, '+436607654321', []])
      expect(done.json.phone_verified_on).not.toBeNull()
    }
    const { rows } = await admin.query(`select from audit_events where action = 'phone.verified'`)
    expect(rows).toHaveLength(1)
    await admin.query(`update contact_changes set expires_at = expires_at - interval '1 minute'`)
    expect((await confirm()).status).toBe(422)
    // The code cannot be bypassed, and a number that an administrator entered has to be confirmed again.
    const self = `/users/${world.people.uri.user_id}`
    for (const path of ['/users/me', self]) {
      const direct = await world.call('uri', 'PUT', path, { mobile_phone: '+436601111111' })
      expect([direct.status, Object.keys(direct.json.detail)]).toEqual([422, ['mobile_phone']])
    }
    await world.must('adam', 'PUT', self, { mobile_phone: '+436601111111' })
    const { json } = await world.call('uri', 'GET', '/users/me/contacts')
    expect([json.mobile_phone, json.phone_verified_on]).toEqual(['+436601111111', null])
  })

  it('cannot be confirmed after five wrong codes, and gets at most five codes per hour', async () => {
    const change = { kind: 'email', value: 'Aya.New@acme.example' }
    expect((await world.call('aya', 'POST', '/users/me/contacts', change)).status).toBe(202)
    const code = await codeTo('aya.new@acme.example')
    const confirm = (tried: string) =>
      world.call('aya', 'POST', '/users/me/contacts/confirm', { kind: 'email', code: tried })
    for (let guess = 0; guess < 5; guess++)
      expect((await confirm(String((Number(code) + 1 + guess) % 1_000_000).padStart(6, '0'))).status).toBe(
        422,
      )
    expect((await confirm(code)).status).toBe(422)
    const later = () =>
      admin.query(
        `update contact_changes set sent = array(select at - interval '30 seconds' from unnest(sent) at)`,
      )
    for (let send = 0; send < 4; send++) {
      expect((await world.call('aya', 'POST', '/users/me/contacts', change)).status).toBe(202)
      await later()
    }
    const tooMany = await world.call('aya', 'POST', '/users/me/contacts', change)
    expect([tooMany.status, tooMany.headers.get('retry-after')]).toEqual([429, '3600'])
    expect((await confirm(await codeTo('aya.new@acme.example'))).status).toBe(200)
    expect((await world.call('aya', 'GET', '/users/me')).json.email).toBe('aya.new@acme.example')
  })

  it('gets one code if its form is submitted twice, at once or shortly after', async () => {
    const change = { kind: 'email', value: 'uri.twice@acme.example' }
    const ask = () => world.call('uri', 'POST', '/users/me/contacts', change)
    expect((await Promise.all([ask(), ask()])).map(({ status }) => status)).toEqual([202, 202])
    const code = await codeTo(change.value)
    expect((await ask()).status).toBe(202)
    expect(await codeTo(change.value)).toBe(code)
    const { rows } = await admin.query('select sent from contact_changes where value = $1', [change.value])
    expect(rows[0].sent).toHaveLength(1)
  })

  it('gets no code that was requested for an earlier value', async () => {
    const value = '+436601112223'
    await world.must('nora', 'POST', '/users/me/contacts', { kind: 'phone', value })
    const { rows } = await admin.query('select id::int from contact_changes where value = $1', [value])
    const other = await world.database.connectAdmin()
    await other.query('begin')
    await other.query(`update contact_changes set value = '+436603332221' where id = $1`, [rows[0].id])
    const drawn = inScope(world.database.worker, systemActor(world.acme), (scope) =>
      drawCode(scope, rows[0].id),
    )
    await expect.poll(world.database.countWaiting).toBe(1)
    await other.query('commit')
    expect(await drawn).toBeNull()
  })

  it('is changed at the provider too, and the old e-mail address is notified', async () => {
    const { uri } = world.people
    await admin.query(
      'insert into user_identities (tenant_id, user_id, issuer, subject) select $1, $2, issuer, $3 from pools where is_default',
      [uri.tenant_id, uri.user_id, 'sub-of-uri'],
    )
    await world.call('uri', 'POST', '/users/me/contacts', { kind: 'email', value: 'uri.two@acme.example' })
    const code = await codeTo('uri.two@acme.example')
    expect(
      (await world.call('uri', 'POST', '/users/me/contacts/confirm', { kind: 'email', code })).status,
    ).toBe(200)
    await codeTo('nobody')
    expect(world.accounts).toContain('sub-of-uri is uri.two@acme.example')
    const { rows } = await admin.query('select subject from outbox_messages where recipient = $1', [
      uri.email,
    ])
    expect(rows.map(({ subject }) => subject)).toContain('Your e-mail address was changed')
  })

  it.each([
    [{ kind: 'email', value: 'no address' }, 422],
    [{ kind: 'phone', value: '12' }, 422],
    [{ kind: 'fax', value: '12' }, 422],
    [{ kind: 'email', value: 'x@y.example', user_id: 1 }, 422],
  ])('is refused if the request is invalid: %o', async (change, status) => {
    expect((await world.call('adam', 'POST', '/users/me/contacts', change)).status).toBe(status)
  })

  it('gets the same answer whether it is taken or free, and the owner of a taken one is told by e-mail', async () => {
    const ask = async (value: string) => {
      const { status, json } = await world.call('adam', 'POST', '/users/me/contacts', {
        kind: 'email',
        value,
      })
      const [pending] = json.pending
      return [status, { ...json, pending: [{ ...pending, destination: '', expires_at: '' }] }]
    }
    const free = await ask('nobody.yet@free.example')
    for (const { email } of [world.people.nora, world.people.greta]) {
      expect(await ask(email.toUpperCase())).toEqual(free)
      expect(await codeTo(email)).toBe('')
      const { rows } = await admin.query(
        'select subject from outbox_messages where recipient = $1 order by id desc limit 1',
        [email],
      )
      expect(rows[0]?.subject).toBe('You already have an account')
    }
  })
})

describe('Preferences and consents', () => {
  it('mute notifications that a person does not want, except warnings', async () => {
    const saved = await world.call(
      'both',
      'PUT',
      '/users/me/notification_preferences',
      { muted: ['launch', 'launch'] },
      { sub: world.north },
    )
    expect([saved.status, saved.json]).toEqual([200, { muted: ['launch'], weekly_summary: false }])
    expect(
      await ask(
        'both',
        'PUT',
        '/users/me/notification_preferences',
        { muted: ['warning'] },
        { sub: world.north },
      ),
    ).toMatchObject([422, {}])
    const journey = await world.draft(['both', 'newcomer'])
    await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, {
      send_now: true,
      skip_past: true,
      expected_recipients: 2,
    })
    const told = await admin.query('select user_id from notifications where notification_type = $1', [
      'launch',
    ])
    const ids = told.rows.map(({ user_id }) => Number(user_id))
    expect(ids).toContain(world.people.newcomer.user_id)
    expect(ids).not.toContain(world.people.both.user_id)
  })

  it('record each consent to texts with its wording', async () => {
    expect((await world.call('nora', 'PUT', '/users/me/consents', { sms_opt_in: true })).status).toBe(422)
    const { user_id } = world.people.nora
    await world.must('adam', 'PUT', `/users/${user_id}`, { mobile_phone: '+436602222222' })
    const { json } = await world.call('nora', 'PUT', '/users/me/consents', { sms_opt_in: true })
    expect(json).toMatchObject({ number: '+436602222222', sms_opt_in: true })
    expect(json.events[0]).toMatchObject({ action: 'opt_in', source: 'profile', wording_id: json.wording.id })
    const off = await world.call('nora', 'PUT', '/users/me/consents', { sms_opt_in: false })
    expect(off.json.events.map(({ action }: { action: string }) => action)).toEqual(['opt_out', 'opt_in'])
  })
})

describe('Notifications in the API', () => {
  it('are listed ten at a time, marked as read and deleted only for their own person', async () => {
    const { adam, uri } = world.people
    await admin.query(
      `insert into notifications (tenant_id, user_id, notification_type, content, created_on)
       select $1, $2, 'info', jsonb_build_object('title', 'No. ' || n, 'message', 'm'), now() - n * interval '1 minute'
       from generate_series(1, 12) n`,
      [adam.tenant_id, adam.user_id],
    )
    const first = await world.must('adam', 'GET', '/notifications')
    expect([first.data.length, first.pagination, first.unread]).toEqual([
      10,
      { current_page: 1, total_pages: 2 },
      12,
    ])
    const second = await world.must('adam', 'GET', '/notifications?limit=10&page=2')
    expect(second.data.map((one: { content: { title: string } }) => one.content.title)).toEqual([
      'No. 11',
      'No. 12',
    ])
    const notification_ids = first.data.map(({ id }: { id: number }) => id)
    expect(await ask('uri', 'PATCH', '/notifications', { notification_ids, has_read: true })).toEqual([
      200,
      null,
    ])
    expect((await world.must('adam', 'GET', '/notifications')).unread).toBe(12)
    await world.must('adam', 'PATCH', '/notifications', { notification_ids, has_read: true })
    expect((await world.must('adam', 'GET', '/notifications')).unread).toBe(2)
    expect(await ask('uri', 'DELETE', `/notifications/${notification_ids[0]}`)).toEqual([404, 'Not Found'])
    expect(await ask('greta', 'DELETE', `/notifications/${notification_ids[0]}`)).toEqual([404, 'Not Found'])
    expect(await ask('adam', 'DELETE', `/notifications/${notification_ids[0]}`)).toEqual([200, null])
    expect(await ask('adam', 'DELETE', `/notifications/${notification_ids[0]}`)).toEqual([404, 'Not Found'])
    for (const body of [
      { notification_ids, has_read: false },
      { notification_ids: 'all', has_read: true },
      { has_read: true },
    ])
      expect((await world.call('adam', 'PATCH', '/notifications', body)).status).toBe(422)
    expect(uri.tenant_id).toBe(adam.tenant_id)
  })
})

describe('An event', () => {
  const titles = async (who: 'adam' | 'nora' | 'uri') => {
    const { rows } = await admin.query(
      `select content ->> 'title' as title from notifications where user_id = $1 order by id`,
      [world.people[who].user_id],
    )
    return rows.map(({ title }) => title)
  }

  it('notifies invited people, administrators, and the learners of a completed journey', async () => {
    const made = await world.must('adam', 'POST', '/users', {
      first_name: 'Ines',
      last_name: 'New',
      email: 'ines@acme.example',
      user_general_roles: [{ role: 'user', sub_tenant_id: null }],
      send_welcome: true,
    })
    await world.drain()
    const { rows } = await admin.query('select content from notifications where user_id = $1', [made.id])
    expect(rows.map(({ content }) => content.title)).toEqual(['Welcome to Acme'])

    const company = { name: 'Acme', categories: ['Sales', 'Care'], timezone: 'Europe/Vienna' }
    const as = { as: world.acme }
    expect((await world.call('sofia', 'PUT', '/tenants/me/company', company, as)).status).toBe(200)
    expect(await titles('adam')).toContain('Company settings changed')
    const { rows: told } = await admin.query(
      `select content ->> 'path' as path from notifications where content ->> 'title' = 'Company settings changed'`,
    )
    expect(told[0]).toEqual({ path: '/settings/audit' })

    const journey = await world.draft(['uri'], { name: 'To an end' })
    const launch = { send_now: true, skip_past: true, expected_recipients: 1 }
    await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, launch)
    await world.must('adam', 'POST', `/lljs/${journey.id}/complete`, {})
    const { rows: ends } = await admin.query(
      `select content ->> 'title' as title from notifications where user_id = $1 and notification_type = 'success'`,
      [world.people.uri.user_id],
    )
    expect(ends).toEqual([{ title: 'To an end' }])
  })

  it('is in the audit log with the person who caused it', async () => {
    const { rows } = await admin.query(
      `select distinct action from audit_events where actor_id is not null and tenant_id = $1`,
      [world.acme],
    )
    const actions = rows.map(({ action }) => action)
    for (const action of [
      'prompt.created',
      'lift.created',
      'members.added',
      'journey.launched',
      'journey.completed',
      'user.created',
      'consent.opt_in',
      'notification_preferences.updated',
      'email_change.requested',
      'email.changed',
      'phone.verified',
    ])
      expect(actions).toContain(action)
  })
})

describe('A person who is erased', () => {
  beforeAll(async () => {
    const { first_name, last_name, email, mobile_phone, job_title } = CANARY
    const made = await world.must(
      'adam',
      'POST',
      '/users',
      {
        first_name,
        last_name,
        email,
        mobile_phone,
        job_title,
        user_general_roles: [{ role: 'user', sub_tenant_id: null }],
        send_welcome: true,
      },
      { key: 'canary' },
    )
    person = made.id
    await world.drain()

    // What using the product leaves behind.
    const journey = await world.draft(['uri'], { description: `Ask ${first_name} ${last_name}` })
    const text = { ...QUESTION, kind: 'long_text', text: 'What is your plan?', options: [], scoring: 'none' }
    const prompt = await world.must('adam', 'POST', `/lifts/${journey.lift}/prompts`, text)
    await world.must('adam', 'POST', `/lljs/${journey.id}/members`, { user_ids: [person] })
    await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, {
      send_now: true,
      skip_past: true,
      expected_recipients: 2,
    })
    const at = [world.acme, person]
    const insert = (sql: string, values: unknown[] = at) => admin.query(sql, values)
    await insert(
      `insert into responses (tenant_id, member_id, lift_id, prompt_id, prompt_version, value)
       select $1, m.id, $3, $4, 1, to_jsonb($5::text) from members m where m.user_id = $2`,
      [...at, journey.lift, prompt.id, `${CANARY.words}; write to ${email}`],
    )
    await insert(`insert into notifications (tenant_id, user_id, notification_type, content)
      values ($1, $2, 'info', '{"title": "For Quillfeather", "message": "${CANARY.words}"}')`)
    await insert(
      `insert into notifications (tenant_id, user_id, notification_type, content) values ($1, $2, 'info', $3)`,
      [
        world.acme,
        world.people.adam.user_id,
        JSON.stringify({ title: 'News', message: `${first_name} ${last_name} (${email}) is done` }),
      ],
    )
    await insert(
      `insert into consent_events (tenant_id, user_id, number, action, source) values ($1, $2, $3, 'opt_in', 'profile')`,
      [...at, mobile_phone],
    )
    await insert(
      `insert into outbox_messages (tenant_id, channel, recipient, body, key) values
      ($1, 'sms', $2, 'Hi Quillfeather', 'canary-1'), ($1, 'email', 'sponsor@acme.example', $3, 'canary-2')`,
      [
        world.acme,
        mobile_phone,
        `${first_name.toUpperCase()} ${last_name.toUpperCase()} needs you, call ${mobile_phone}.`,
      ],
    )
    await insert(`insert into sessions (tenant_id, user_id, id_hash, pool_id, tokens_sealed, access_expires_at, user_agent, expires_at)
      select $1, $2, '\\x01', id, 'x', now(), 'Zebra-meadow browser', now() + interval '1 day' from pools where is_default`)
    await insert(`insert into contact_changes (tenant_id, user_id, kind, value, expires_at)
      values ($1, $2, 'email', 'quill.next@zebra-meadow.example', now())`)
    await insert(
      `insert into audit_events (tenant_id, actor_id, actor_email, action, subject_type, subject_id, changes)
      values ($1, $2::bigint, $3, 'profile.updated', 'user', $2::bigint::text, $4), ($1, null, null, 'import.done', 'file', 'x', $4)`,
      [...at, email, JSON.stringify({ email, name: `${first_name} ${last_name}` })],
    )
    await insert(
      `insert into user_imports (tenant_id, file_name, dry_run, send_welcome, result)
      values ($1, 'people.csv', false, false, $2)`,
      [
        world.acme,
        `1,zoe@acme.example,Zoe,created\n2,${email},${first_name},${last_name}\n3,quill@acme.example,Quill,created`,
      ],
    )
  })

  const words = [
    CANARY.email,
    'zebra-meadow',
    CANARY.first_name,
    CANARY.last_name,
    DIGITS,
    CANARY.words,
    CANARY.job_title,
  ]

  it('was in many tables before', async () => {
    const found = await traces(words)
    for (const place of [
      'users.email',
      'responses.value',
      'audit_events.changes',
      'audit_events.actor_email',
      'outbox_messages.body',
      'idempotency_keys.body',
      'user_imports.result',
      'notifications.content',
      'consent_events.number',
      'journeys.description',
    ])
      expect(found).toContain(place)
  })

  it('can be exported by an administrator first, while other people can export only themselves', async () => {
    const { status, json, headers } = await world.call('adam', 'GET', `/users/${person}/data_export`)
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toContain('attachment')
    expect(json.profile).toMatchObject({ email: CANARY.email, job_title: CANARY.job_title })
    expect(json.answers[0].value).toContain(CANARY.words)
    expect(json.consents).toHaveLength(1)
    expect(json.sessions[0]).toMatchObject({ user_agent: 'Zebra-meadow browser' })
    expect(json.messages.length).toBeGreaterThan(0)
    expect(JSON.stringify(json)).not.toMatch(/tokens|digest|password|Temporary-1234/)
    expect((await world.call('uri', 'GET', `/users/${world.people.uri.user_id}/data_export`)).status).toBe(
      200,
    )
    for (const [who, refusal] of [
      ['uri', 403],
      ['aya', 403],
      ['greta', 404],
    ] as const)
      expect([who, (await world.call(who, 'GET', `/users/${person}/data_export`)).status]).toEqual([
        who,
        refusal,
      ])
  })

  it('is not erased by people without the right, by themselves, or as the last administrator', async () => {
    const { adam } = world.people
    for (const [who, id, status] of [
      ['uri', person, 403],
      ['aya', person, 403],
      ['nora', person, 404],
      ['greta', person, 404],
      ['adam', adam.user_id, 409],
      ['adam', 999_999, 404],
    ] as const)
      expect([who, (await world.call(who, 'POST', `/users/${id}/erasure`, {})).status]).toEqual([who, status])
    expect(
      (await world.call('sofia', 'POST', `/users/${adam.user_id}/erasure`, {}, { as: world.acme })).status,
    ).toBe(409)
    expect(await traces([CANARY.email])).toContain('users.email')
  })

  it('leaves nothing that identifies them in any table', async () => {
    const others = 'select count(*)::int as n from users'
    const before = (await admin.query(others)).rows[0].n
    expect(await ask('adam', 'POST', `/users/${person}/erasure`, {})).toEqual([200, null])
    await world.drain()
    expect(await traces(words)).toEqual([])
    expect((await admin.query(others)).rows[0].n).toBe(before)
    expect(world.accounts).toContain(`sub-of-${CANARY.email} is erased`)

    const { json } = await world.call('adam', 'GET', `/users/${person}`)
    expect(json).toMatchObject({
      name: 'Erased person',
      activation_status: 'disabled',
      user_general_roles: [],
    })
    const kept = await admin.query(`select result from user_imports where file_name = 'people.csv'`)
    expect(kept.rows[0].result).toContain('quill@acme.example')
    expect(kept.rows[0].result).toContain('zoe@acme.example')
    const open = await admin.query(
      `select count(*)::int as n from occurrences o join members m on m.id = o.member_id
       where m.user_id = $1 and o.state in ('planned', 'held', 'due')`,
      [person],
    )
    expect(open.rows[0].n).toBe(0)
    const log = await world.must('adam', 'GET', '/audit_events?action=user.erased')
    expect(log.data[0]).toMatchObject({ subject: { type: 'user', id: String(person) }, changes: {} })
  })
})

describe('The embedded provider', () => {
  it('changes the address of an account, and erases it', async () => {
    const identity = await createIdentity({
      database: openPool(world.database.identityUrl, { max: 5 }),
      origin: 'http://localhost',
      secret: 'a-secret-for-tests-of-at-least-32-characters',
      pools: async () => [],
      log: silent,
    })
    const account = await identity.admin.setPassword({
      pool: 'main',
      email: 'old.owl@forest.example',
      password: 'Correct-horse-7',
      attributes: { given_name: 'Owlbert' },
    })
    const ref = { pool: 'main', sub: account.sub }
    await identity.admin.changeEmail({ ...ref, email: 'New.Owl@forest.example' })
    expect(await identity.admin.findByEmail({ pool: 'main', email: 'old.owl@forest.example' })).toBeNull()
    expect(await identity.admin.findByEmail({ pool: 'main', email: 'new.owl@forest.example' })).toMatchObject(
      {
        sub: account.sub,
        attributes: { email: 'new.owl@forest.example', email_verified: true },
      },
    )
    await identity.admin.erase(ref)
    expect(await traces(['new.owl', 'Owlbert'])).toEqual([])
    await identity.close()
  })
})
