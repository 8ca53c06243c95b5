/** A sub-tenant with longer quiet hours: the planner, the sender and the trigger in the database respect them. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claimDispatches } from '#app/domain/sending/claims.server.ts'
import { settleConsent } from '#app/domain/sending/consent-change.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'
import { zoneAt } from './zones.ts'

const NUMBER = '+436641234567'
const HOUR = 3_600_000
const VIENNA = 'Europe/Vienna'

let world: JourneysWorld
let north: string
beforeAll(async () => {
  world = await createJourneysWorld()
  north = world.north
})
afterAll(() => world?.drop())

/** No messages and no settings; it is early afternoon for both learners, and one gets texts. */
beforeEach(async () => {
  await inAcme(async (scope) => {
    const { db } = scope
    const { user_id } = world.people.both
    await db.deleteFrom('journeys').execute()
    await sql`update tenants set settings = '{}'`.execute(db)
    await sql`update sub_tenants set settings = '{}', timezone = null`.execute(db)
    await sql`update users set timezone = ${zoneAt(13)}, mobile_phone = case when id = ${user_id} then ${NUMBER} end`.execute(
      db,
    )
    await settleConsent(scope, { number: NUMBER, user_id, action: 'opt_in', source: 'profile' })
  })
  await world.drain()
})

const rest = (quiet_hours: { from: string; to: string } | null) =>
  world.must('adam', 'PUT', `/tenants/me/sub_tenants/${north}/company`, { quiet_hours })
const restOfCompany = (quiet_hours: { from: string; to: string }) =>
  world.must('adam', 'PUT', '/tenants/me/company', { quiet_hours })

/** A date in the company's zone. */
const dateIn = (days: number) =>
  new Date(Date.now() + days * 24 * HOUR).toLocaleDateString('sv-SE', { timeZone: VIENNA })
const on = (days: number, time: string) => ({ schedule: { kind: 'absolute', date: dateIn(days), time } })
const onClock = (zone: string | null) =>
  inAcme(({ db }) => sql`update users set timezone = ${zone}`.execute(db))

async function launched(sub: string | null, who: 'both' | 'nora', lift: object = {}, more: object = {}) {
  const name = `Rest ${Math.random()}`
  const made = await world.draft([who], { name, channels: ['sms', 'email'], ...more }, lift, sub)
  await world.must('adam', 'POST', `/lljs/${made.id}/launch`, { send_now: true }, { sub })
  return made
}

/** When a journey's lift comes, in that zone. */
async function comes({ id }: { id: number }, zone = VIENNA): Promise<string> {
  const [row] = await inAcme(({ db }) =>
    db.selectFrom('occurrences').select('due_at').where('journey_id', '=', id).execute(),
  )
  return row?.due_at?.toLocaleString('sv-SE', { timeZone: zone }).slice(0, 15) ?? 'never'
}

describe('The plan of a sub-tenant’s journey', () => {
  it('keeps the sub-tenant’s quiet hours; a journey of the company keeps the company’s', async () => {
    await onClock(VIENNA)
    await rest({ from: '18:00', to: '12:00' })
    const inNorth = await launched(north, 'both', on(5, '18:30'))
    const inSouth = await launched(world.south, 'both', on(8, '18:30'))
    const tenantWide = await launched(null, 'both', on(11, '18:30'))
    // Within the first minutes of an hour, over which deferred messages are spread.
    expect(await comes(inNorth)).toMatch(`${dateIn(6)} 12:`)
    expect(await comes(inSouth)).toBe(`${dateIn(8)} 18:3`)
    expect(await comes(tenantWide)).toBe(`${dateIn(11)} 18:3`)
    const path = `/lljs/${inNorth.id}/schedule/preview?user_id=${world.people.both.user_id}`
    const { entries } = await world.must('adam', 'GET', path, undefined, { sub: north })
    expect(entries[0].why.map((one: { code: string }) => one.code)).toContain('quiet_hours')
  })

  it('changes with the sub-tenant’s quiet hours, and changes back with them', async () => {
    await onClock(VIENNA)
    const inNorth = await launched(north, 'both', on(5, '18:30'))
    const inSouth = await launched(world.south, 'both', on(8, '18:30'))
    await rest({ from: '18:00', to: '12:00' })
    await world.drain()
    expect([await comes(inNorth), await comes(inSouth)]).toEqual([
      expect.stringContaining(`${dateIn(6)} 12:`),
      `${dateIn(8)} 18:3`,
    ])
    await rest(null)
    await world.drain()
    expect(await comes(inNorth)).toBe(`${dateIn(5)} 18:3`)
  })

  it('applies the stricter of the company’s and the sub-tenant’s quiet hours', async () => {
    await onClock(VIENNA)
    await rest({ from: '19:00', to: '09:00' })
    const inNorth = await launched(north, 'both', on(5, '18:30'))
    const inSouth = await launched(world.south, 'both', on(8, '20:30'))
    expect([await comes(inNorth), await comes(inSouth)]).toEqual([
      `${dateIn(5)} 18:3`,
      expect.stringContaining(`${dateIn(9)} 09:`),
    ])
    await restOfCompany({ from: '21:00', to: '08:00' })
    await world.drain()
    expect([await comes(inNorth), await comes(inSouth)]).toEqual([`${dateIn(5)} 18:3`, `${dateIn(8)} 20:3`])
    await restOfCompany({ from: '18:00', to: '08:00' })
    await world.drain()
    expect(await comes(inNorth)).toMatch(`${dateIn(6)} 09:`)
  })

  it('keeps its sub-tenant’s hours and zone for a learner who answers inside another sub-tenant', async () => {
    await onClock(null)
    await inAcme(({ db }) =>
      sql`update sub_tenants set timezone = ${zoneAt(10)} where id = ${north}`.execute(db),
    )
    await rest({ from: '20:00', to: '12:00' })
    const first = { schedule: { kind: 'manual', at_launch: true } }
    const { id, lift, prompt } = await launched(north, 'both', first, { channels: ['email'] })
    await world.drain()
    const waits = { kind: 'after_lift', lift_id: lift, min_hours: 0 }
    const next = await world.must(
      'adam',
      'POST',
      `/lljs/${id}/lifts`,
      { title: 'And then', blocks: [{ kind: 'text', markdown: 'More.' }], schedule: waits, status: 'ready' },
      { sub: north },
    )
    await world.drain()
    const responses = [{ prompt_id: prompt, value: 'a' }]
    await world.must('both', 'POST', `/lifts/${lift}/responses`, { responses }, { sub: world.south })
    const [occurrence] = await inAcme(({ db }) =>
      db.selectFrom('occurrences').selectAll().where('lift_id', '=', next.id).execute(),
    )
    expect(occurrence?.zone).toBe(zoneAt(10))
    expect(occurrence?.due_at?.toLocaleString('sv-SE', { timeZone: zoneAt(10) }).slice(11, 14)).toBe('12:')
    expect(occurrence?.shifted).toContain('quiet_hours')
  })

  it('applies the sub-tenant’s quiet hours to reminders and to the opening of assessments', async () => {
    await rest({ from: '18:00', to: '10:00' })
    const policy = { reminder_policy: [{ after_hours: 6, channel: 'email' }], channels: ['email'] }
    const inNorth = await launched(north, 'nora', {}, policy)
    const tenantWide = await launched(null, 'both', {}, policy)
    const opens = { kind: 'absolute', date: dateIn(20), time: '18:30' }
    const asked = {
      name: 'Before',
      phase: 'pre',
      raters: ['self'],
      opens,
      items: [{ text: 'How?', kind: 'text' }],
    }
    for (const [{ id }, sub] of [
      [inNorth, north],
      [tenantWide, null],
    ] as const)
      await world.must('adam', 'POST', `/lljs/${id}/assessments`, asked, { sub })
    await world.drain(createTestCarrier().carriers)
    const { rows } = await inAcme(({ db }) =>
      sql<{ reminder: Date; opens: Date }>`
        select d.due_at as reminder, f.opens_at as opens
        from dispatches d join occurrences o on o.id = d.occurrence_id join assessment_forms f on f.journey_id = o.journey_id
        where d.kind = 'reminder' order by o.journey_id`.execute(db),
    )
    const hour = (at?: Date) => at?.toLocaleString('sv-SE', { timeZone: zoneAt(13) }).slice(11, 14)
    expect(rows.map((row) => [hour(row.reminder), hour(row.opens)])).toEqual([
      ['10:', '10:'],
      ['19:', '18:'],
    ])
  })
})

describe('The wall in the database', () => {
  const force = () =>
    inAcme(({ db }) =>
      sql`update dispatches set state = 'sending', address = ${NUMBER} where channel = 'sms'`.execute(db),
    )

  it('refuses a text in the quiet hours of the journey’s sub-tenant, but not once they are removed', async () => {
    await launched(north, 'both')
    await rest({ from: '18:00', to: '10:30' })
    for (const hour of [18, 19, 9]) {
      await onClock(zoneAt(hour))
      await expect(force()).rejects.toThrow(/quiet hours/)
    }
    await rest(null)
    await onClock(zoneAt(18))
    await expect(force()).resolves.toBeDefined()
  })

  it('does not apply a sub-tenant’s quiet hours to journeys of the company', async () => {
    await rest({ from: '17:00', to: '10:00' })
    await onClock(zoneAt(18))
    await launched(null, 'both')
    await expect(force()).resolves.toBeDefined()
  })

  it('does not let a sub-tenant’s settings shorten the company’s quiet hours', async () => {
    await launched(north, 'both')
    await inAcme(({ db }) =>
      sql`update sub_tenants set settings = '{"quiet_hours": {"from": "21:00", "to": "08:00"}}'`.execute(db),
    )
    await onClock(zoneAt(20))
    await expect(force()).rejects.toThrow(/quiet hours/)
    await restOfCompany({ from: '21:00', to: '08:00' })
    await expect(force()).resolves.toBeDefined()
  })
})

describe('The sender', () => {
  it('holds a text until the end of the sub-tenant’s quiet hours, without an attempt', async () => {
    await launched(north, 'both')
    await inAcme(({ db }) =>
      sql`update sub_tenants set settings = '{"quiet_hours": {"from": "12:00", "to": "11:00"}}' where id = ${north}`.execute(
        db,
      ),
    )
    const { carriers, taken } = createTestCarrier()
    await world.drain(carriers)
    expect(taken).toEqual([])
    const [row] = await inAcme(({ db }) => db.selectFrom('dispatches').selectAll().execute())
    expect(row).toMatchObject({ state: 'planned', channel: 'sms', attempts: 0 })
    const morning = row?.next_attempt_at.toLocaleString('sv-SE', { timeZone: zoneAt(13) }).slice(11, 14)
    expect(morning).toBe('11:')
    expect(await claimDispatches(world.database.worker, 'sender', { channel: 'email', limit: 10 })).toEqual(
      [],
    )
  })
})

const inAcme = inAcmeOf(() => world)
