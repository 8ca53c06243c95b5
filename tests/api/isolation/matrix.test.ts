/** Every call by every principal on objects of every place: compared with the policy, scanned for canaries. */
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PERMISSIONS } from '#app/domain/access/permissions.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import {
  ASKING,
  allFindings,
  type Case,
  cases,
  firstFinding,
  headerCases,
  inputCases,
} from './matrix-cases.ts'
import { WITHOUT_TENANT } from './matrix-headers.ts'
import type { Who } from './matrix-people.ts'
import { POLICY, type Row } from './matrix-policy.ts'
import { callsOfRouter, callsWithInput } from './matrix-router.ts'
import { createMatrixWorld, type MatrixWorld } from './matrix-world.ts'

let database: TestDatabase
let world: MatrixWorld
let admin: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createMatrixWorld(database.app)
  admin = await database.connectAdmin()
})
afterAll(() => database?.drop())

/** All calls, with those that the change concerns first, so that a failure is found sooner. */
const callsAbout = (path: string): string[] =>
  Object.keys(POLICY).sort((one, other) => Number(other.includes(path)) - Number(one.includes(path)))

const keyOfHeaders = ({ who, named }: Case) => JSON.stringify([who, named])

describe('The matrix', () => {
  it('has a row for every call, and a call for every row', async () => {
    const rows = new Set(Object.keys(POLICY).map((name) => name.split(' ').slice(0, 2).join(' ')))
    expect([...rows].sort()).toEqual((await callsOfRouter()).sort())
  })

  it('matches every answer of the API, and no answer contains text of another place', async () => {
    expect(await allFindings(world, cases())).toEqual([])
  }, 600_000)

  it('sends each call many combinations of headers, and each combination to many calls', () => {
    const all = [...headerCases()]
    const [one = ''] = ASKING
    const counts = (keyOf: (one: Case) => string) =>
      Object.values(Object.groupBy(all, keyOf)).map((some) => some?.length ?? 0)
    expect(new Set(all.map(keyOfHeaders)).size).toBe([...headerCases([one], 1)].length)
    expect(Math.min(...counts(({ call }) => call))).toBeGreaterThan(30)
    expect(Math.min(...counts(keyOfHeaders))).toBeGreaterThan(20)
  })

  it('gets 403 for headers that contradict the token, and 401 for headers without a valid one', async () => {
    expect(await allFindings(world, headerCases())).toEqual([])
  }, 600_000)

  it('gets the usual answers to reads if the tenant is named only by the token', async () => {
    const reads = ASKING.filter((call) => call.startsWith('GET'))
    const some = reads.flatMap((call) => WITHOUT_TENANT.map((one): Case => ({ ...one, call, where: 'own' })))
    expect(await allFindings(world, some)).toEqual([])
  }, 300_000)

  it('lets people enter a place that is open to them with its header', async () => {
    const inside: [Who, object, number][] = [
      ['super_home', { impersonate: 'foreign' }, 200],
      ['super_home', { impersonate: 'own', sub: 'own' }, 200],
      ['super_inside', { sub: 'sibling' }, 200],
      ['admin', { sub: 'sibling' }, 200],
      ['user', { sub: 'own' }, 200],
      ['sub_admin', { sub: 'own' }, 200],
    ]
    for (const [who, named, wanted] of inside) {
      const { status } = await world.ask('GET /users', POLICY['GET /users'] as Row, who, 'own', { named })
      expect([who, named, status]).toEqual([who, named, wanted])
    }
  })

  it('gets the refusal for a missing right before any error about the input', async () => {
    const { withBody, withQuery } = await callsWithInput()
    const asJson = withBody.filter((call) => !POLICY[call]?.form)
    expect(await allFindings(world, inputCases([...withBody, ...withQuery], 'unknown fields'))).toEqual([])
    expect(await allFindings(world, inputCases(asJson, 'no JSON'))).toEqual([])
  }, 180_000)

  it('gets the same bytes for foreign and for missing objects', async () => {
    for (const [call, row] of Object.entries(POLICY)) {
      if (row.kind === 'none' || row.kind === 'self') continue
      for (const who of ['user', 'author', 'admin', 'sub_admin', 'super_inside'] as const) {
        const [foreign, missing] = await Promise.all([
          world.ask(call, row, who, 'foreign'),
          world.ask(call, row, who, 'missing'),
        ])
        expect([call, who, foreign.text]).toEqual([call, who, missing.text])
      }
    }
  }, 300_000)
})

describe('The matrix fails', () => {
  const WALLED = {
    users: '/users',
    user_general_roles: '/users',
    tenants: '/tenants',
    sub_tenants: '/sub_tenants',
    journeys: '/lljs',
    lifts: '/lifts',
    assessments: '/assessments',
    user_imports: '/users/imports',
  }

  it.each(Object.entries(WALLED))(
    'if row-level security of %s is switched off',
    async (table, path) => {
      const policies = await admin.query<{ name: string; cmd: string }>(
        `select policyname as name, cmd from pg_policies where tablename = $1 and policyname like 'scope_%'`,
        [table],
      )
      await admin.query(`alter table ${table} no force row level security`)
      await admin.query(`alter table ${table} disable row level security`)
      try {
        expect(policies.rows).toHaveLength(4)
        const header = await firstFinding(world, headerCases(['GET /users'], 1))
        expect(header ?? (await firstFinding(world, cases(callsAbout(path))))).not.toBeNull()
      } finally {
        await admin.query(`alter table ${table} enable row level security`)
        await admin.query(`alter table ${table} force row level security`)
      }
    },
    120_000,
  )

  type Cell = { role: 'author' | 'user' | 'admin'; permission: string; becomes: string | undefined }
  /** Permissions that no call of the API checks: they open screens. */
  const SCREENS_ONLY = ['dashboard:view', 'company:view']
  /** Also decided by other checks: the company's setting for authors, and the right to the journey itself. */
  const KEPT_TWICE = [
    'author journeys:create lost',
    'user journeys:edit_author gained',
    'user assessments:reopen gained',
  ]
  const PATHS: Record<string, string> = {
    company: '/company',
    journeys: '/lljs',
    assessments: '/reopen',
    audit: '/audit_events',
    users: '/users',
    analytics: '/analytics',
    sub_tenants: '/sub_tenants',
  }
  const cells: Cell[] = Object.entries(PERMISSIONS.super_admin).flatMap(([resource, actions]) =>
    Object.entries(actions).flatMap(([action, widest]) => {
      const permission = `${resource}:${action}`
      if (SCREENS_ONLY.includes(permission)) return []
      return (['admin', 'author', 'user'] as const).flatMap((role): Cell[] => {
        const held = (PERMISSIONS[role] as Rights)[resource]?.[action]
        const lost: Cell[] =
          held && !KEPT_TWICE.includes(`${role} ${permission} lost`)
            ? [{ role, permission, becomes: undefined }]
            : []
        // An administrator of one company is never outside all tenants.
        const gained: Cell[] =
          held === widest || resource === 'tenants' || KEPT_TWICE.includes(`${role} ${permission} gained`)
            ? []
            : [{ role, permission, becomes: widest }]
        return [...lost, ...gained]
      })
    }),
  )

  /** The calls that the policy decides by that role come first, then all calls of the people concerned. */
  function* casesAbout({ role, permission, becomes }: Cell): Generator<Case> {
    const calls = callsAbout(PATHS[permission.split(':')[0] ?? ''] ?? '')
    const isLost = becomes === undefined
    yield* cases(
      calls.filter((call) => POLICY[call]?.may.includes(role) === isLost),
      [role],
    )
    yield* cases(calls, ['user', 'author', 'admin', 'sub_admin'])
  }

  it.each(cells)(
    'if $role has $permission as $becomes',
    async (cell) => {
      const { role, permission, becomes } = cell
      const [resource = '', action = ''] = permission.split(':')
      const table = PERMISSIONS as unknown as Record<
        string,
        Record<string, Record<string, string | undefined>>
      >
      const kept = table[role]
      table[role] = { ...kept, [resource]: { ...kept?.[resource], [action]: becomes } }
      try {
        expect(await firstFinding(world, casesAbout(cell))).not.toBeNull()
      } finally {
        if (kept) table[role] = kept
      }
    },
    120_000,
  )

  type Rights = Record<string, Record<string, string>>

  it('no longer after all these changes were undone', async () => {
    const { rows } = await sql<{ open: number }>`select count(*)::int as open from pg_class
      where relnamespace = 'public'::regnamespace and relname in ('users', 'journeys', 'tenants')
      and not relforcerowsecurity`.execute(database.app)
    expect(rows).toEqual([{ open: 0 }])
    expect(await firstFinding(world, cases(['GET /users/{id}', 'GET /lljs/{id}']))).toBeNull()
  })
})
