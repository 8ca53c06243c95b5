/** Hostile JSON in calls about people and tenants. The payloads are in tests/attacks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BODIES, VALUES } from '#tests/attacks/hostile-json.ts'
import { EXTRA_FIELDS } from '#tests/attacks/mass-assignment.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { expected, type Who } from './matrix-people.ts'
import { POLICY, type Row } from './matrix-policy.ts'
import { createMatrixWorld, type MatrixWorld } from './matrix-world.ts'

let database: TestDatabase
let world: MatrixWorld
beforeAll(async () => {
  database = await createTestDatabase()
  world = await createMatrixWorld(database.app)
}, 120_000)
afterAll(() => database?.drop())

/** Calls about people and tenants that read JSON, each with a person who is allowed to make it. */
const CALLS = Object.entries(POLICY)
  .filter(
    ([call, { body = {} }]) =>
      Object.keys(body).length > 0 && / \/(users|tenants|auth|notifications)/.test(call),
  )
  .filter(([call]) => !call.includes(' of '))
  .map(([call, row]) => ({ call, row, who: askerOf(call, row) }))

function askerOf(call: string, row: Row): Who {
  const somebody = (['admin', 'super_home', 'super_inside', 'sub_admin', 'user'] as const).find(
    (who) => expected(call, row, who, 'own') < 300,
  )
  return somebody ?? 'admin'
}

const bodyOf = ({ body = {} }: Row): object => (typeof body === 'function' ? body(world.objects.own) : body)
/** Writes JSON directly, so that a name like `__proto__` stays a name and duplicate names are possible. */
const withField = (body: object, name: string, json: string): string =>
  `{${[...Object.entries(body).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`), `${JSON.stringify(name)}:${json}`].join()}}`

describe('Fields that no call accepts', () => {
  it('are refused by all 24 calls about people and tenants that read JSON', {
    timeout: 120_000,
  }, async () => {
    expect([EXTRA_FIELDS('').length, CALLS.length]).toEqual([25, 24])
    const found: string[] = []
    for (const { call, row, who } of CALLS)
      for (const [name, json] of EXTRA_FIELDS(world.globex)) {
        if (Object.hasOwn(bodyOf(row), name)) continue
        const sent = { body: withField(bodyOf(row), name, json) }
        const { status, text } = await world.ask(call, row, who, 'own', { sent })
        if (status !== 422) found.push(`${call} with ${name}: ${status} ${text.slice(0, 100)}`)
      }
    expect(found).toEqual([])
    expect(['is_super_admin', 'is_admin', 'roles'].filter((name) => name in {})).toEqual([])
  })
})

describe('Hostile JSON', () => {
  it('as the body is refused with an error', { timeout: 120_000 }, async () => {
    expect(BODIES.length).toBe(22)
    const found: string[] = []
    for (const { call, row, who } of CALLS.filter((_, nth) => nth % 4 === 0))
      for (const [name, body] of BODIES) {
        const { status, text } = await world.ask(call, row, who, 'own', { sent: { body } })
        const isRefused = [400, 413, 422].includes(status) && JSON.parse(text).has_error === true
        if (!isRefused) found.push(`${call} with ${name}: ${status} ${text.slice(0, 100)}`)
      }
    expect(found).toEqual([])
  })

  it('in any field does not cause a server error', { timeout: 180_000 }, async () => {
    expect(VALUES.length).toBe(29)
    const found: string[] = []
    for (const { call, row, who } of CALLS)
      for (const field of Object.keys(bodyOf(row)))
        for (const [name, json] of VALUES) {
          const { status, text } = await world.ask(call, row, who, 'own', {
            sent: { body: withField(bodyOf(row), field, json) },
          })
          if (status >= 500) found.push(`${call} with ${name} as ${field}: ${status} ${text.slice(0, 100)}`)
        }
    expect(found).toEqual([])
  })
})
