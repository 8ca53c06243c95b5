/** Search finds the rows of its scope and no others, with any letters, and with bounded work. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inScope, operatorActor, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { type Found, findInEach, type Noun } from '#app/domain/search.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const [acme, globex, north, south] = [id(1), id(2), id(3), id(4)]
const PLACES = [
  { tenant: acme, sub: null, name: 'whole' },
  { tenant: acme, sub: north, name: 'north' },
  { tenant: acme, sub: south, name: 'south' },
  { tenant: globex, sub: null, name: 'globex' },
]
const NOUNS: Noun[] = [
  'users',
  'journeys',
  'lifts',
  'prompts',
  'assessments',
  'files',
  'user_imports',
  'audited subjects',
  'audited actors',
  'participants',
  'sub_tenants',
  'tenants',
]

let database: TestDatabase
let admin: pg.Client
/** The ids of each kind, by place. */
const own = new Map<string, string[]>()
const journeys = new Map<string, number>()

beforeAll(async () => {
  database = await createTestDatabase()
  admin = await database.connectAdmin()
  await admin.query(`insert into pools (id, name, kind, issuer, client_id) values ('p', 'P', 'embedded', 'i', 'c');
    insert into tenants (id, name, pool_id) values ('${acme}', 'Needle Acme', 'p'), ('${globex}', 'Needle Globex', 'p');
    insert into sub_tenants (tenant_id, id, name) values ('${acme}', '${north}', 'Needle North'), ('${acme}', '${south}', 'Needle South')`)
  for (const place of PLACES) await fillPlace(place)
})
afterAll(() => database?.drop())

async function fillPlace({ tenant, sub, name }: (typeof PLACES)[number]) {
  const insert = async (noun: string, table: string, values: Record<string, unknown>) => {
    const row = { tenant_id: tenant, ...values }
    const names = Object.keys(row)
    const { rows } = await admin.query(
      `insert into ${table} (${names}) values (${names.map((_, n) => `$${n + 1}`)}) returning id`,
      Object.values(row),
    )
    own.set(`${noun} ${name}`, [...(own.get(`${noun} ${name}`) ?? []), String(rows[0].id)])
    return rows[0].id
  }
  const user_id = await insert('users', 'users', { first_name: 'Needle', email: `${name}@needle.example` })
  await insert('roles', 'user_general_roles', { user_id, role: 'user', sub_tenant_id: sub })
  const journey_id = await insert('journeys', 'journeys', {
    name: 'Needle',
    author_id: user_id,
    sub_tenant_id: sub,
  })
  journeys.set(name, journey_id)
  const lift_id = await insert('lifts', 'lifts', { title: 'Needle', journey_id, position: 1 })
  await insert('prompts', 'prompts', { text: 'Needle', lift_id, position: 1, kind: 'scale' })
  await insert('assessments', 'assessments', { name: 'Needle', journey_id, phase: 'pre', opens: '{}' })
  await insert('participants', 'members', { journey_id, user_id, role: 'learner' })
  await insert('files', 'files', {
    ...{ file_name: 'needle.png', kind: 'image', content_type: 'image/png', size: 1, sha256: '', bytes: '' },
    sub_tenant_id: sub,
  })
  await insert('user_imports', 'user_imports', {
    ...{ file_name: 'needle.csv', dry_run: true, send_welcome: false, sub_tenant_id: sub },
  })
  const event = { action: 'user.updated', subject_type: 'user', sub_tenant_id: sub }
  await insert('audited subjects', 'audit_events', { ...event, subject_name: 'Needle' })
  await insert('audited actors', 'audit_events', { ...event, actor_email: 'needle@needle.example' })
}

const at = <Result>(tenant: string, sub: string | null, work: (scope: Scope) => Promise<Result>) =>
  inScope(database.app, { ...systemActor(tenant), sub_tenant_id: sub }, work)
const find = async (place: { tenant: string; sub: string | null }, words: string, more = {}) =>
  at(place.tenant, place.sub, (scope) => findInEach(scope, NOUNS, words, more))
const idsOf = (found: Map<Noun, Found>, noun: Noun) =>
  (found.get(noun)?.ids ?? '{}').slice(1, -1).split(',').filter(Boolean).sort()
const rowsOf = (noun: string, ...places: string[]) =>
  places.flatMap((name) => own.get(`${noun} ${name}`) ?? []).sort()

describe('The rows that search finds', () => {
  const ROWS = NOUNS.filter((noun) => !['participants', 'sub_tenants', 'tenants'].includes(noun))

  it('are those of the tenant only', async () => {
    for (const words of ['needle', 'n']) {
      const inAcme = await find({ tenant: acme, sub: null }, words)
      const inGlobex = await find({ tenant: globex, sub: null }, words)
      for (const noun of ROWS) {
        expect([noun, idsOf(inAcme, noun)]).toEqual([noun, rowsOf(noun, 'whole', 'north', 'south')])
        expect([noun, idsOf(inGlobex, noun)]).toEqual([noun, rowsOf(noun, 'globex')])
      }
      expect([idsOf(inAcme, 'tenants'), idsOf(inAcme, 'sub_tenants')]).toEqual([[acme], [north, south]])
      expect([idsOf(inGlobex, 'tenants'), idsOf(inGlobex, 'sub_tenants')]).toEqual([[globex], []])
    }
  })

  it('are those of the sub-tenant only, with the files of the whole company', async () => {
    const found = await find({ tenant: acme, sub: north }, 'needle')
    for (const noun of ROWS)
      expect([noun, idsOf(found, noun)]).toEqual([
        noun,
        noun === 'files' ? rowsOf(noun, 'north', 'whole') : rowsOf(noun, 'north'),
      ])
    expect([idsOf(found, 'tenants'), idsOf(found, 'sub_tenants')]).toEqual([[acme], [north]])
  })

  it('include the participants of a journey only if that journey is visible', async () => {
    for (const { tenant, sub } of PLACES)
      for (const [name, journey] of journeys) {
        const of = PLACES.find((place) => place.name === name)
        const isSeen = of?.tenant === tenant && (sub === null || of.sub === sub)
        const found = await find({ tenant, sub }, 'needle', { journey })
        expect([sub, name, idsOf(found, 'participants')]).toEqual([
          sub,
          name,
          isSeen ? rowsOf('participants', name) : [],
        ])
      }
  })

  it('are none without a scope, and none for a participant', async () => {
    const none = await find({ tenant: '', sub: null }, 'needle')
    const actor = { ...systemActor(acme), as_participant: true }
    const ofLearner = await inScope(database.app, actor, (scope) => findInEach(scope, NOUNS, 'needle'))
    for (const noun of NOUNS)
      expect([noun, idsOf(none, noun), idsOf(ofLearner, noun)]).toEqual([noun, [], []])
  })

  it('are all tenants and sub-tenants for the operator, and nothing inside them', async () => {
    const actor = { ...systemActor(''), roles: ['super_admin' as const], is_super_admin: true }
    const found = await inScope(database.app, actor, (scope) => findInEach(scope, NOUNS, 'needle'))
    expect([idsOf(found, 'tenants'), idsOf(found, 'sub_tenants')]).toEqual([
      [acme, globex],
      [north, south],
    ])
    for (const noun of ROWS) expect([noun, idsOf(found, noun)]).toEqual([noun, []])
  })
})

describe('Search among many people', () => {
  const many = { tenant: globex, sub: null }
  beforeAll(async () => {
    await admin.query(`insert into users (tenant_id, email, first_name, last_name)
      select '${globex}', 'p' || n || '@many.example', case when n % 4 = 0 then 'Anna' else 'Ben' end,
        case n when 7 then '王伟' when 8 then 'Привет' when 9 then 'O''Neil\\100%_x' else 'Smith' end
      from generate_series(1, 5000) n`)
    await admin.query('vacuum analyze users')
  })
  const people = async (words: string, more = {}) => {
    const found = (await find(many, words, more)).get('users')
    return [found?.count, found?.is_all]
  }

  it.each([
    ['王伟', [1, true]],
    ['привет', [1, true]],
    ["o'neil\\100%_x", [1, true]],
    ['100%', [1, true]],
    ['ann', [1250, true]],
    ['a', [1250, true]],
    ['an', [1250, true]],
    ['na', [0, true]],
    ['%', [0, true]],
    ['@.', [0, true]],
    ['many', [5000, true]],
    ['ben smith', [3748, true]],
    ['smith smith', [0, true]],
    ['x'.repeat(200), [0, true]],
    ['\0', [0, true]],
  ])('finds the expected number for %s', async (words, wanted) => {
    expect(await people(words)).toEqual(wanted)
  })

  it.each([
    ['amber', 'Ämber Õun'],
    ['ÄMBER', 'amber oun'],
    ['dvorak', 'Dvořák'],
    ['soren', 'Søren Ærø'],
    ['AERO', 'Søren Ærø'],
    ['ŁUKASZ', 'Lukasz Straße'],
    ['lukasz strasse', 'Łukasz Straße'],
  ])('finds a name by %s, regardless of accents and case', async (words, name) => {
    const { rows } = await admin.query('insert into tenants (name, pool_id) values ($1, $2) returning id', [
      name,
      'p',
    ])
    const found = await inScope(database.app, operatorActor(), (scope) =>
      findInEach(scope, ['tenants'], words),
    )
    await admin.query('delete from tenants where id = $1', [rows[0].id])
    expect(found.get('tenants')?.ids).toBe(`{${rows[0].id}}`)
  })

  it('returns only the newest if there are more than requested', async () => {
    const found = (await find(many, 'many', { most: 100 })).get('users') as Found
    const { rows } = await admin.query(
      `select id::text from users where tenant_id = '${globex}' order by users.id desc limit 100`,
    )
    expect([found.is_all, found.ids]).toEqual([false, `{${rows.map((row) => row.id)}}`])
    // One more row is read, to tell that there are more.
    expect(await people('ann', { most: 100 })).toEqual([26, false])
  })
})

it('A search by the role of the app uses the index despite the policies', async () => {
  await admin.query(`load 'auto_explain'`)
  const said: string[] = []
  admin.on('notice', ({ message }) => void said.push(message ?? ''))
  await admin.query(`set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
    set client_min_messages = log; set enable_seqscan = off; set role liftwell_app;
    set app.tenant_id = '${globex}'; select * from find_ids('users', 'zwrtzwrt', 10)`)
  await admin.query('reset role; reset client_min_messages')
  expect(said.join()).toContain('Bitmap Index Scan on users_search')
})

it('Counts bypass the policies only for callers who see the whole tenant', async () => {
  const count = async (settings: Record<string, string>) => {
    await admin.query('begin; set local role liftwell_app')
    for (const [name, value] of Object.entries(settings))
      await admin.query('select set_config($1, $2, true)', [name, value])
    const { rows } = await admin.query(
      `select count_people(10000) as all, count_people(7) as seven, count_people(7, '{user}') as users,
         count_people(7, '{user}', '{Legal}') as both, count_people(7, of_statuses => '{invited}') as invited,
         count_people(7, of_sub_tenants => array[$1::uuid]) as north, count_journeys(7) as journeys,
         count_journeys(7, '{draft}', '{Safety}') as both_of_journeys, count_members($2, 7) as members,
         count_members($3, 7) as others_members, count_audit_events(7) as events,
         count_audit_events(7, '{user.created}', 1) as both_of_events, count(*)::int as seen from users`,
      [north, journeys.get('globex'), journeys.get('whole')],
    )
    await admin.query('rollback')
    return rows[0]
  }
  const tenant = { 'app.tenant_id': globex }
  const whole = await count(tenant)
  expect(whole).toEqual({
    all: whole.seen,
    seven: 7,
    users: 1,
    both: null,
    invited: 7,
    north: 0,
    journeys: 1,
    both_of_journeys: null,
    members: 1,
    others_members: null,
    events: 2,
    both_of_events: null,
    seen: whole.seen,
  })
  const nothing = Object.fromEntries(Object.keys(whole).map((name) => [name, null]))
  expect(await count({ ...tenant, 'app.sub_tenant_id': globex })).toMatchObject({ ...nothing, seen: 0 })
  expect(await count({ ...tenant, 'app.participant': 'on', 'app.user_id': '1' })).toMatchObject({
    ...nothing,
    seen: expect.any(Number),
  })
  expect(await count({ 'app.tenant_id': '' })).toEqual({ ...nothing, seen: 0 })
})
