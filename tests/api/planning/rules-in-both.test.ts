/** Rules that exist both in SQL, as the last check, and in TypeScript, for planning: one table of cases for both. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsentAction, foldConsent } from '#app/domain/consent/consent.ts'
import { quietHoursOf, settingsInForce } from '#app/domain/hours/quiet-hours.ts'
import { toZoned } from '#app/domain/planning/wall-clock.ts'
import { keepZoneRules } from '#app/domain/planning/zone-rules.server.ts'
import { fill, tablesOfTenants } from '#tests/api/isolation/catalogue-rows.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { zoneAt } from './zones.ts'

let database: TestDatabase
let admin: pg.Client
const tenant = randomUUID()
const NUMBER = '+436641234567'

beforeAll(async () => {
  database = await createTestDatabase()
  admin = await database.connectAdmin()
  await admin.query(`insert into pools (id, name, kind, issuer, client_id) values ('catalogue', 'C', 'embedded', 'i', 'c');
    insert into tenants (id, name, pool_id) values ('${tenant}', 'Acme', 'catalogue')`)
  await fill(admin, await tablesOfTenants(admin), { name: 'acme', tenant, sub: null })
  await admin.query('update users set timezone = $1', [zoneAt(13)])
})
afterAll(() => database?.drop())

const rest = (from: unknown, to: unknown) => ({ quiet_hours: { from, to } })

describe('Quiet hours', () => {
  // The company's settings, the sub-tenant's, whether the time zone is known.
  it.each([
    [{}, {}, '20:00-09:00', '19:00-11:00'],
    [rest('21:00', '08:00'), {}, '21:00-08:00', '19:00-11:00'],
    [rest('23:00', '05:00'), {}, '21:00-08:00', '19:00-11:00'],
    [rest('18:30', '10:15'), {}, '18:30-10:15', '18:30-11:00'],
    [rest('18:00', '12:00'), {}, '18:00-12:00', '18:00-12:00'],
    [rest('08:00', '17:00'), {}, '20:00-09:00', '19:00-11:00'],
    [rest('08:00', '08:00'), {}, '20:00-09:00', '19:00-11:00'],
    [rest('24:00', '08:00'), {}, '20:00-09:00', '19:00-11:00'],
    [rest('9:00', '8:00'), {}, '20:00-09:00', '19:00-11:00'],
    [rest(21, null), {}, '20:00-09:00', '19:00-11:00'],
    [{ quiet_hours: null }, {}, '20:00-09:00', '19:00-11:00'],
    [{}, rest('19:30', '09:30'), '19:30-09:30', '19:00-11:00'],
    [rest('21:00', '08:00'), rest('20:30', '08:30'), '20:30-08:30', '19:00-11:00'],
    [rest('18:00', '10:00'), rest('21:00', '08:00'), '18:00-10:00', '18:00-11:00'],
    [rest('13:00', '08:00'), rest('21:00', '12:59'), '13:00-12:59', '13:00-12:59'],
    [rest('13:00', '08:00'), rest('21:00', '13:00'), '13:00-08:00', '13:00-11:00'],
  ])(
    'with company settings %j and sub-tenant settings %j are %s, or %s if the zone is unknown',
    async (company, subTenant, known, unknown) => {
      for (const [isKnown, wanted] of [
        [true, known],
        [false, unknown],
      ] as const) {
        const { from, to } = quietHoursOf(settingsInForce(company, subTenant), isKnown)
        const { rows } = await admin.query(
          `select to_char(quiet_from, 'HH24:MI') || '-' || to_char(quiet_to, 'HH24:MI') as quiet
        from quiet_hours_of($1::jsonb, $2::jsonb, $3)`,
          [JSON.stringify(company), JSON.stringify(subTenant), isKnown],
        )
        expect({ program: `${from}-${to}`, database: rows[0].quiet }).toEqual({
          program: wanted,
          database: wanted,
        })
      }
    },
  )
})

describe('The clock of a zone', () => {
  const ZONES = ['Europe/Vienna', 'America/New_York', 'America/Edmonton', 'Australia/Lord_Howe']
  it.each([...ZONES, 'Africa/Casablanca', 'Asia/Kolkata'])('in %s is the program’s', async (zone) => {
    await keepZoneRules(database.worker)
    const instants = Array.from({ length: 300 }, (_, nth) => new Date(Date.UTC(2026, 7, 1, 31 * nth)))
    const { rows } = await admin.query(
      `select to_char(clock_in($1, at), 'YYYY-MM-DD"T"HH24:MI') as clock from unnest($2::timestamptz[]) at`,
      [zone, instants],
    )
    const clockOf = (at: Date) => toZoned(at, zone).toPlainDateTime().toString({ smallestUnit: 'minute' })
    expect(rows.map(({ clock }) => clock)).toEqual(instants.map(clockOf))
  })

  it('is the program’s also where the database has other rules, and decides what is night', async () => {
    await keepZoneRules(database.worker)
    await admin.query('begin')
    try {
      const zone = zoneAt(13)
      await admin.query(
        `insert into zone_rules (zone, version, changes, changed_at, offsets)
          select $1, 'other', '', '{2025-01-01Z}', array[extract(epoch from (now() at time zone $1 - now() at time zone 'UTC')) / 60 + 600]
          on conflict (zone) do update set changed_at = excluded.changed_at, offsets = excluded.offsets`,
        [zone],
      )
      await admin.query('delete from consent_events')
      await admin.query(
        `insert into consent_events (tenant_id, number, action, source) values ($1, $2, 'opt_in', 'test')`,
        [tenant, NUMBER],
      )
      const sent = admin.query(`update dispatches set channel = 'sms', address = $1, state = 'sending'`, [
        NUMBER,
      ])
      await expect(sent).rejects.toThrow('quiet hours')
    } finally {
      await admin.query('rollback')
    }
  })
})

describe('Consent to texts', () => {
  it.each<[ConsentAction[], boolean]>([
    [[], false],
    [['opt_in'], true],
    [['import'], false],
    [['opt_in', 'import'], true],
    [['opt_in', 'opt_out'], false],
    [['opt_in', 'opt_out', 'import'], false],
    [['opt_out', 'opt_in'], true],
    [['opt_in', 'invalid'], false],
    [['opt_in', 'invalid', 'opt_in'], true],
    [['opt_in', 'reassigned'], false],
    [['opt_in', 'reassigned', 'import'], false],
  ])('after the events %j allows a text: %s', async (actions, wanted) => {
    await admin.query('begin')
    try {
      await admin.query('delete from consent_events')
      for (const action of actions)
        await admin.query(
          `insert into consent_events (tenant_id, number, action, source) values ($1, $2, $3, 'test')`,
          [tenant, NUMBER, action],
        )
      const sent = await admin
        .query(`update dispatches set channel = 'sms', address = $1, state = 'sending'`, [NUMBER])
        .then(
          ({ rowCount }) => rowCount === 1,
          (error) => (/without consent/.test(error.message) ? false : Promise.reject(error)),
        )
      expect({ program: foldConsent(actions) === 'opted_in', database: sent }).toEqual({
        program: wanted,
        database: wanted,
      })
    } finally {
      await admin.query('rollback')
    }
  })
})
