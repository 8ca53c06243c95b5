/** Groups of people: who creates them, who is in them, who sees them, and how journeys use them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

type Who = keyof JourneysWorld['people']
type Group = { id: number; name: string; people: number; lock_version: number; sub_tenant: string | null }
const idOf = (who: Who) => world.people[who].user_id
let made = 0
const create = (more: object = {}, sub: string | null = null, who: Who = 'adam'): Promise<Group> =>
  world.must(who, 'POST', '/user_groups', { name: `Group ${++made}`, ...more }, { sub })
const change = (id: number, body: object, sub: string | null = null) =>
  world.call('adam', 'PATCH', `/user_groups/${id}/users`, body, { sub })
const namesSeen = async (who: Who, sub: string | null = null): Promise<string[]> =>
  (await world.must(who, 'GET', '/user_groups', undefined, { sub })).data.map(({ name }: Group) => name)
async function createWith(...people: Who[]): Promise<Group> {
  const group = await create()
  await change(group.id, { add_user_ids: people.map(idOf) })
  return group
}
const lastLine = async (action: string) =>
  (await world.must('adam', 'GET', `/audit_events?action=${action}&per_page=1`)).data[0]

describe('A group', () => {
  it('is created by administrators only, and listed by name for administrators and authors', async () => {
    await create({ name: '  Zebra  ' })
    await create({ name: 'apple' })
    const seen = await namesSeen('aya')
    expect(seen.indexOf('apple')).toBeLessThan(seen.indexOf('Zebra'))
    expect(seen).toEqual(await namesSeen('adam'))
    expect((await lastLine('user_group.created')).subject).toMatchObject({
      type: 'user_group',
      name: 'apple',
    })
    for (const who of ['aya', 'uri'] as const)
      expect((await world.call(who, 'POST', '/user_groups', { name: 'Mine' })).status).toBe(403)
    expect((await world.call('uri', 'GET', '/user_groups')).status).toBe(403)
  })

  it('has a unique name of at most 80 characters', async () => {
    const { id, lock_version } = await create({ name: 'Sales' })
    for (const [status, name] of [
      [409, 'SALES'],
      [422, '   '],
      [422, 'x'.repeat(81)],
    ] as const) {
      const refused = await world.call('adam', 'POST', '/user_groups', { name })
      expect([refused.status, Object.keys(refused.json.detail)]).toEqual([status, ['name']])
    }
    const other = await create()
    const taken = await world.call('adam', 'PUT', `/user_groups/${other.id}`, {
      name: 'sales',
      lock_version: 0,
    })
    expect([taken.status, Object.keys(taken.json.detail)]).toEqual([409, ['name']])
    const renamed = await world.must('adam', 'PUT', `/user_groups/${id}`, { name: 'SALES', lock_version })
    expect(renamed).toMatchObject({ name: 'SALES', lock_version: 1 })
    expect((await lastLine('user_group.updated')).changes).toEqual({
      name: { before: 'Sales', after: 'SALES' },
    })
  })

  it('that was renamed meanwhile cannot be renamed or deleted by a stale request', async () => {
    const { id } = await create({ name: 'First' })
    const rename = (name: string) =>
      world.call('adam', 'PUT', `/user_groups/${id}`, { name, lock_version: 0 })
    expect((await rename('Second')).status).toBe(200)
    const late = await rename('Third')
    expect([late.status, late.json.current.name]).toEqual([409, 'Second'])
    // Saving the same name again is not a conflict.
    expect((await rename('Second')).json).toMatchObject({ name: 'Second', lock_version: 1 })
    const removal = await world.call('adam', 'DELETE', `/user_groups/${id}?lock_version=0`)
    expect(removal.status).toBe(409)
  })

  it('cannot be created if the company has 100 groups', async () => {
    await inScope(world.database.app, systemActor(world.globex), ({ db }) =>
      db
        .insertInto('user_groups')
        .values(Array.from({ length: 100 }, (_, n) => ({ tenant_id: world.globex, name: `Group ${n}` })))
        .execute(),
    )
    const refused = await world.call('greta', 'POST', '/user_groups', { name: 'One more' })
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining('at most 100')])
  })
})

describe('The people of a group', () => {
  it('are added by id or e-mail address, once each, and removed', async () => {
    const { id } = await create()
    const { email } = world.people.aya
    const first = await change(id, {
      add_user_ids: [idOf('uri'), idOf('uri')],
      add_emails: [email.toUpperCase()],
    })
    expect(first.json).toEqual({ added: 2, removed: 0 })
    const again = await change(id, {
      add_user_ids: [idOf('uri'), idOf('both')],
      remove_user_ids: [idOf('aya')],
    })
    expect(again.json).toEqual({ added: 1, removed: 1 })
    expect((await lastLine('user_group.people_changed')).changes).toEqual({
      added: [idOf('both')],
      removed: [idOf('aya')],
    })
    const { data, pagination } = await world.must('adam', 'GET', `/users?group_id=${id}&order_by=name`)
    expect(data.map((one: { id: number }) => one.id).sort()).toEqual([idOf('uri'), idOf('both')].sort())
    expect(pagination.total).toBe(2)
    const found = await world.must('adam', 'GET', `/users?group_id=${id}&q=uri`)
    expect(found.data.map((one: { id: number }) => one.id)).toEqual([idOf('uri')])
    expect(await world.must('adam', 'GET', `/user_groups/${id}`)).toMatchObject({ people: 2 })
  })

  it('have to exist in the company with an open account, and are added at most 500 at a time', async () => {
    const { id } = await create()
    const activation = `/users/${idOf('both')}/activation`
    await world.must('adam', 'PATCH', activation, { activation_status: 'disabled' })
    expect((await change(id, { add_emails: [world.people.both.email] })).status).toBe(422)
    for (const [field, body] of [
      ['add_user_ids', {}],
      ['add_user_ids', { add_user_ids: [idOf('both')] }],
      ['add_user_ids', { add_user_ids: [idOf('uri'), idOf('greta')] }],
      ['add_user_ids', { add_user_ids: [999_999] }],
      ['add_user_ids', { add_user_ids: Array.from({ length: 501 }, (_, n) => n + 1) }],
      ['add_emails', { add_emails: [world.people.uri.email, world.people.greta.email, 'x@nobody.example'] }],
    ] as const) {
      const refused = await change(id, body)
      expect([refused.status, Object.keys(refused.json.detail)]).toEqual([422, [field]])
      if (field === 'add_emails') {
        expect(refused.json.detail.add_emails[0]).toContain(`${world.people.greta.email}, x@nobody.example`)
        expect(refused.json.detail.add_emails[0]).not.toContain(world.people.uri.email)
      }
    }
    expect((await world.must('adam', 'GET', `/user_groups/${id}`)).people).toBe(0)
    await world.must('adam', 'PATCH', activation, { activation_status: 'active' })
  })
})

describe('A group of a sub-tenant', () => {
  it('is visible in its sub-tenant and in its company, and not in another sub-tenant or company', async () => {
    const { north, south, people } = world
    const ours = await create({ name: 'Of the north' }, north)
    const whole = await createWith('uri')
    expect(ours.sub_tenant).toBe('Acme North')
    expect(await namesSeen('nora', north)).toEqual(['Of the north'])
    expect(await namesSeen('adam')).toContain('Of the north')
    expect(await namesSeen('adam', south)).toEqual([])
    expect(await namesSeen('greta')).not.toContain('Of the north')
    for (const [who, sub, id] of [
      ['adam', south, ours.id],
      ['nora', north, whole.id],
      ['greta', null, ours.id],
    ] as const)
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PUT', '', { name: 'Taken', lock_version: 0 }],
        ['PATCH', '/users', { remove_user_ids: [people.uri.user_id] }],
        ['DELETE', '', undefined],
      ] as const) {
        const answer = await world.call(who, method, `/user_groups/${id}${path}`, body, { sub })
        expect([method, answer.status]).toEqual([method, 404])
      }
    // Another sub-tenant can have a group of the same name.
    expect((await create({ name: 'Of the north' }, south)).name).toBe('Of the north')
    // People outside the sub-tenant cannot be added.
    expect((await change(ours.id, { add_user_ids: [idOf('uri')] }, north)).status).toBe(422)
  })
})

describe('A group that is added to a journey', () => {
  const join = (id: number, group: object, who: Who = 'adam') =>
    world.call(who, 'POST', `/lljs/${id}/members`, { group })

  it('adds the people that it has now, and later changes of the group have no effect', async () => {
    const group = await createWith('uri', 'aya')
    const { id } = await world.draft(['uri'], { name: 'For the group' })
    expect((await join(id, { group_id: group.id })).json).toMatchObject({ added: 1, skipped: 1 })
    await change(group.id, { add_user_ids: [idOf('both')], remove_user_ids: [idOf('aya')] })
    const { data } = await world.must('adam', 'GET', `/lljs/${id}/members?role=learner`)
    const learners = data.map((one: { user_id: number }) => one.user_id).sort()
    expect(learners).toEqual([idOf('uri'), idOf('aya')].sort())
    const stored = await inScope(world.database.app, systemActor(world.acme), ({ db }) =>
      db
        .selectFrom('members')
        .select('source')
        .where('journey_id', '=', id)
        .where('user_id', '=', idOf('aya'))
        .execute(),
    )
    expect(stored).toEqual([{ source: 'group' }])
  })

  it('adds even people without a role', async () => {
    const { id: user } = await world.must('adam', 'POST', '/users', {
      ...{ first_name: 'Rolf', email: 'rolf@groups.example', send_welcome: false },
      user_general_roles: [{ role: 'user' }],
    })
    await inScope(world.database.app, systemActor(world.acme), ({ db }) =>
      db.deleteFrom('user_general_roles').where('user_id', '=', user).execute(),
    )
    const group = await createWith('aya')
    await change(group.id, { add_user_ids: [user] })
    const { id } = await world.draft([], { name: 'Whatever they may do' })
    expect((await join(id, { group_id: group.id })).json.added).toBe(2)
  })

  it('adds only its people with a certain role if the request names one', async () => {
    const group = await createWith('uri', 'aya')
    const { id } = await world.draft([], { name: 'Authors of the group' })
    expect((await join(id, { group_id: group.id, general_role: 'author' })).json.added).toBe(1)
  })

  it('is refused if it is empty, unknown or of another sub-tenant', async () => {
    const { id } = await world.draft([], { name: 'Of nobody' })
    const empty = await create()
    expect((await join(id, { group_id: empty.id })).json.detail).toEqual({
      group: ['Nobody matches this choice.'],
    })
    const foreign = await world.draft([], { name: 'Part' }, {}, world.south)
    const ofNorth = await create({}, world.north)
    const missing = { group: ['This group does not exist.'] }
    for (const group_id of [999_999, ofNorth.id]) {
      const refused = await world.call(
        'adam',
        'POST',
        `/lljs/${foreign.id}/members`,
        { group: { group_id } },
        {
          sub: world.south,
        },
      )
      expect([refused.status, refused.json.detail]).toEqual([422, missing])
    }
  })

  it('leaves out deactivated people, and can be deleted without removing participants', async () => {
    const group = await createWith('uri', 'both')
    await world.must('adam', 'PATCH', `/users/${idOf('both')}/activation`, { activation_status: 'disabled' })
    const { id } = await world.draft([], { name: 'Those who are there' })
    expect((await join(id, { group_id: group.id })).json.added).toBe(1)
    await world.must('adam', 'DELETE', `/user_groups/${group.id}?lock_version=0`)
    expect((await lastLine('user_group.deleted')).subject.name).toBe(group.name)
    expect((await world.call('adam', 'GET', `/user_groups/${group.id}`)).status).toBe(404)
    const { pagination } = await world.must('adam', 'GET', `/lljs/${id}/members`)
    expect(pagination.total).toBe(1)
    await world.must('adam', 'PATCH', `/users/${idOf('both')}/activation`, { activation_status: 'active' })
  })
})

it('A group of the company no longer counts a person deleted by a sub-tenant’s administrator', async () => {
  const { north } = world
  const group = await createWith('uri')
  const { id } = await world.must(
    'nora',
    'POST',
    '/users',
    {
      ...{ first_name: 'Nils', email: 'nils@groups.example', send_welcome: false },
      user_general_roles: [{ role: 'user', sub_tenant_id: north }],
    },
    { sub: north },
  )
  await change(group.id, { add_user_ids: [id] })
  const { people } = await world.must('adam', 'GET', `/user_groups/${group.id}`)
  expect(people).toBe(2)
  await world.must('nora', 'DELETE', `/users/${id}`, undefined, { sub: north })
  const left = await world.must('adam', 'GET', `/user_groups/${group.id}`)
  const { pagination } = await world.must('adam', 'GET', `/users?group_id=${group.id}`)
  expect([left.people, pagination.total]).toEqual([1, 1])
})

it('A person has their groups in the data export, and leaves them when erased', async () => {
  const group = await create({ name: 'The forgetful' })
  const { id } = await world.must('adam', 'POST', '/users', {
    ...{ first_name: 'Flo', email: 'flo@groups.example', send_welcome: false },
    user_general_roles: [{ role: 'user' }],
  })
  await change(group.id, { add_user_ids: [id] })
  const copy = await world.must('adam', 'GET', `/users/${id}/data_export`)
  expect(copy.groups).toMatchObject([{ name: 'The forgetful' }])
  await world.must('adam', 'POST', `/users/${id}/erasure`, {})
  expect((await world.must('adam', 'GET', `/user_groups/${group.id}`)).people).toBe(0)
  expect((await world.must('adam', 'GET', `/users?group_id=${group.id}`)).data).toEqual([])
})

/** Adding a person locks the group before the person; with the opposite order there would be a deadlock. */
it.each([
  ['deleted', (id: number) => world.call('adam', 'DELETE', `/users/${id}`)],
  ['erased', (id: number) => world.call('adam', 'POST', `/users/${id}/erasure`, {})],
])('A person who is being %s is not locked while the request waits for their group', async (word, end) => {
  const group = await create()
  const { id } = await world.must('adam', 'POST', '/users', {
    ...{ first_name: 'Wanda', email: `${word}@groups.example`, send_welcome: false },
    user_general_roles: [{ role: 'user' }],
  })
  await change(group.id, { add_user_ids: [id] })
  const admin = await world.database.connectAdmin()
  await admin.query('begin')
  await admin.query('select from user_groups where id = $1 for update', [group.id])
  const ended = end(id)
  await expect.poll(world.database.countWaiting).toBe(1)
  const free = await admin.query('select from users where id = $1 for key share nowait', [id]).then(
    () => true,
    () => false,
  )
  await admin.query('rollback')
  expect([free, (await ended).status]).toEqual([true, 200])
  expect((await world.must('adam', 'GET', `/user_groups/${group.id}`)).people).toBe(0)
})

describe.each([
  ['deleted', (id: number) => world.call('adam', 'DELETE', `/users/${id}`)],
  ['erased', (id: number) => world.call('adam', 'POST', `/users/${id}/erasure`, {})],
])('A person who is being %s', (word, end) => {
  const email = `${word}@leaving.example`
  let plan: { id: number; lock_version: number }
  it.each([
    ['a group by id', (id: number, to: number) => change(to, { add_user_ids: [id] })],
    ['a group by e-mail address', (_: number, to: number) => change(to, { add_emails: [email] })],
    ['a journey', (id: number) => world.call('adam', 'POST', `/lljs/${plan.id}/members`, { user_ids: [id] })],
    [
      'a journey as sponsor',
      async (id: number) => {
        const { data } = await world.must('adam', 'GET', `/lljs/${plan.id}/members`)
        const given = { member_ids: [data[0].id], sponsor_user_id: id }
        return world.call('adam', 'PATCH', `/lljs/${plan.id}/members`, given)
      },
    ],
    [
      'a journey as author',
      (id: number) =>
        world.call('adam', 'PATCH', `/lljs/${plan.id}/author`, {
          author_id: id,
          lock_version: plan.lock_version,
        }),
    ],
  ])('is not added to %s', async (_, addTo) => {
    const group = await create()
    const { id: planId } = await world.draft(['uri'])
    plan = await world.must('adam', 'GET', `/lljs/${planId}`)
    const { id } = await world.must('adam', 'POST', '/users', {
      ...{ first_name: 'Will', email, send_welcome: false },
      user_general_roles: [{ role: 'author' }],
    })
    const admin = await world.database.connectAdmin()
    await admin.query('begin')
    await admin.query('lock table user_general_roles in exclusive mode')
    const ended = end(id)
    await expect.poll(world.database.countWaiting).toBe(1)
    const added = addTo(id, group.id)
    await expect
      .poll(world.database.countWaiting)
      .toBe(2)
      .finally(() => admin.query('rollback'))
    await admin.end()
    expect([(await ended).status, (await added).status]).toEqual([200, 422])
    expect((await world.must('adam', 'GET', `/user_groups/${group.id}`)).people).toBe(0)
  })
})
