/** An erased person never comes back, by any route. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'

let world: JourneysWorld
let admin: pg.Client
let journey: { id: number }
let erased: number
let member: number
const at = () => `erased-${erased}@erased.invalid`

beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  journey = await world.draft(['aya', 'uri'])
  await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, {
    send_now: true,
    skip_past: true,
    expected_recipients: 2,
  })
  erased = world.people.uri.user_id
  const { data } = await world.must('adam', 'GET', `/lljs/${journey.id}/members`)
  member = data.find((one: { user_id: number }) => one.user_id === erased).id
  await admin.query('update users set last_seen_on = now() where id = $1', [erased])
  await world.must('adam', 'POST', `/users/${erased}/erasure`, {})
})
afterAll(() => world?.drop())

const stored = async () => (await admin.query('select * from users where id = $1', [erased])).rows[0]

describe('An erased person', () => {
  it('has no time of a last visit', async () => {
    expect((await stored()).last_seen_on).toBeNull()
  })

  it('accepts an update that changes none of their data, and no other', async () => {
    const { rowCount } = await admin.query(
      'update users set lock_version = lock_version, updated_on = now() where id = $1',
      [erased],
    )
    expect(rowCount).toBe(1)
    await expect(admin.query(`update users set first_name = 'Back' where id = $1`, [erased])).rejects.toThrow(
      'An erased person stays as they are',
    )
  })

  it('cannot be activated, invited, changed, given roles, or erased again', async () => {
    const before = await stored()
    const path = `/users/${erased}`
    for (const [method, where, body] of [
      ['PATCH', `${path}/activation`, { activation_status: 'active' }],
      ['PATCH', `${path}/activation`, { activation_status: 'disabled' }],
      ['POST', `/auth/resend-welcome-email/${erased}`, {}],
      ['PUT', path, { first_name: 'Back' }],
      ['PUT', path, { user_general_roles: [{ role: 'admin' }] }],
      ['PUT', path, {}],
      ['POST', `${path}/password_reset`, {}],
      ['DELETE', `${path}/second_factor`, undefined],
      ['POST', `${path}/erasure`, {}],
      ['DELETE', path, undefined],
    ] as const) {
      const { status } = await world.call('adam', method, where, body)
      expect([method, where, status]).toEqual([method, where, 409])
    }
    const many = await world.must('adam', 'POST', '/auth/resend-welcome-email', { user_ids: [erased] })
    expect(many.data).toEqual([{ user_id: erased, result: 'disabled' }])
    expect(await stored()).toEqual(before)
    const { rows } = await admin.query('select from user_general_roles where user_id = $1', [erased])
    expect(rows).toEqual([])
    expect(world.invited).toEqual([])
  })

  it('cannot be in a journey again: by id, by file or as a participant who returns', async () => {
    const path = `/lljs/${journey.id}/members`
    for (const role of ['learner', 'sponsor'] as const)
      expect((await world.call('adam', 'POST', path, { user_ids: [erased], role })).status).toBe(422)
    const back = await world.call('adam', 'PATCH', path, { member_ids: [member], state: 'invited' })
    expect(back.status).toBe(422)
    const csv = `email\n${at()}\n`
    const file = await world.must('adam', 'POST', `${path}/import`, { csv, dry_run: false })
    expect(file).toMatchObject({ done: false, problems: [{ line: 2 }] })
    const { rows } = await admin.query('select state from members where user_id = $1', [erased])
    expect(rows).toEqual([{ state: 'withdrawn' }])
  })

  it('cannot become the administrator of a tenant or a sub-tenant', async () => {
    const admins = [{ email: at(), first_name: 'Back', last_name: 'Again' }]
    const part = { name: 'Acme East', admins, status: 'active', timezone: 'UTC' }
    for (const [who, method, path, body] of [
      ['adam', 'POST', `/tenants/${world.acme}/sub_tenants`, part],
      ['sofia', 'PUT', `/tenants/${world.acme}`, { admins }],
    ] as const) {
      const { status, json } = await world.call(who, method, path, body)
      expect([path, status, Object.keys(json.detail)]).toEqual([path, 409, ['admins.0.email']])
    }
  })

  it('is reported as erased, with no right but to download what is left', async () => {
    const user = await world.must('adam', 'GET', `/users/${erased}`)
    expect(user).toMatchObject({ is_erased: true, rights: ['download'], activation_status: 'disabled' })
    const other = await world.must('adam', 'GET', `/users/${world.people.aya.user_id}`)
    expect(other).toMatchObject({ is_erased: false, rights: expect.arrayContaining(['edit', 'erase']) })
  })

  it.each([
    [`update users set activation_status = 'active' where id = $1`],
    [`update users set first_name = 'Back' where id = $1`],
    [`update users set erased_on = null where id = $1`],
    [`update users set email = 'back@acme.example' where id = $1`],
    [
      `insert into user_general_roles (tenant_id, user_id, role) select tenant_id, id, 'admin' from users where id = $1`,
    ],
    [
      `insert into user_identities (tenant_id, user_id, issuer, subject)
      select u.tenant_id, u.id, p.issuer, 'back' from users u, pools p where u.id = $1 and p.is_default`,
    ],
    [`update members set state = 'active' where user_id = $1`],
    [
      `insert into members (tenant_id, journey_id, user_id, role)
      select tenant_id, journey_id, user_id, 'facilitator' from members where user_id = $1`,
    ],
  ])('is protected by the database from: %s', async (sql) => {
    await expect(admin.query(sql, [erased])).rejects.toThrow(/erased person/)
  })
})
