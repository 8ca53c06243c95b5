/** Every declared field of a person reaches every place that shows people, and is erased with them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { namesOf, pick } from '#app/domain/fields.ts'
import { readRow } from '#app/domain/users/imports/import-row.server.ts'
import { EXAMPLES, erasedPerson, PERSON } from '#app/domain/users/person.ts'
import { createWorld, type TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
let world: TenantsWorld

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
})
afterAll(() => database?.drop())

const NAMES = namesOf(PERSON)
const OPTIONAL = NAMES.filter((name) => PERSON[name].input.safeParse(null).success)
const OWN = NAMES.filter((name) => 'own' in PERSON[name])

let count = 0
async function add(more: object = {}) {
  const email = `field${++count}@people.example`
  const sent = { ...EXAMPLES, email, user_general_roles: [{ role: 'user' }], send_welcome: false, ...more }
  const { status, json } = await world.call('adam', 'POST', '/users', sent)
  expect(status).toBe(201)
  return json
}

describe('A field of a person', () => {
  it('can be set, and is in the answer, the exported list and the data export', async () => {
    const { id, email } = await add()
    const all = { ...EXAMPLES, email }
    expect((await world.call('adam', 'GET', `/users/${id}`)).json).toMatchObject(all)
    const { text } = await world.call('adam', 'GET', `/users/export?q=${email}`)
    expect(text).toContain(NAMES.join(','))
    expect(text).toContain(NAMES.map((name) => all[name].replace(/^\+/, "'+")).join(','))
    expect((await world.call('adam', 'GET', `/users/${id}/data_export`)).json.profile).toMatchObject(all)
  })

  it('is read from an import file, where a blank cell means null', () => {
    const read = (cells: typeof EXAMPLES) =>
      readRow({ line: 2, cells }, { subTenants: new Map(), within: null })
    expect(read(EXAMPLES)).toMatchObject({ errors: [], person: EXAMPLES })
    const few = read({ ...EXAMPLES, ...Object.fromEntries(OPTIONAL.map((name) => [name, ' '])) })
    expect(pick(few.person as Record<string, unknown>, OPTIONAL)).toEqual(
      Object.fromEntries(OPTIONAL.map((name) => [name, null])),
    )
  })

  it('stays if it is left out, and is removed by null or a blank text', async () => {
    for (const nothing of [null, '', '  ']) {
      const { id } = await add()
      const same = await world.call('adam', 'PUT', `/users/${id}`, { first_name: 'Other' })
      expect(pick(same.json, OPTIONAL)).toEqual(pick(EXAMPLES, OPTIONAL))
      const sent = Object.fromEntries(OPTIONAL.map((name) => [name, nothing]))
      const { status, json } = await world.call('adam', 'PUT', `/users/${id}`, sent)
      expect([status, Object.values(pick(json, OPTIONAL))]).toEqual([200, OPTIONAL.map(() => null)])
    }
  })

  it('can be changed by the person if it is declared as their own', async () => {
    const own = pick(EXAMPLES, OWN)
    const { status, json } = await world.call('uri', 'PUT', '/users/me', own)
    expect([status, pick(json, OWN)]).toEqual([200, own])
  })

  it('is erased with the person', async () => {
    const { id } = await add()
    expect((await world.call('adam', 'POST', `/users/${id}/erasure`)).status).toBe(200)
    const { json } = await world.call('adam', 'GET', `/users/${id}`)
    expect(pick(json, NAMES)).toEqual(erasedPerson(id))
  })
})

describe('The department', () => {
  it('filters and searches the list of people, and is among its facets', async () => {
    const sales = (await add({ department: 'Field sales' })).id
    const yard = (await add({ department: 'Yard' })).id
    await add({ department: null })
    const find = async (search: string) => (await world.call('adam', 'GET', `/users?${search}`)).json
    const idsOf = ({ data }: { data: { id: number }[] }) => data.map(({ id }) => id).sort()
    const found = await find('department=Field%20sales&department=Yard')
    expect(idsOf(found)).toEqual([sales, yard].sort())
    expect(found.facets.department).toEqual(expect.arrayContaining(['Field sales', 'Yard']))
    expect(idsOf(await find('department=Yard&q=field&role=user'))).toEqual([yard])
    expect(idsOf(await find('q=field%20sal'))).toEqual([sales])
    expect(idsOf(await find('department=Nowhere'))).toEqual([])
    const file = await world.call('adam', 'GET', '/users/export?department=Yard')
    expect(file.text.trim().split('\r\n')).toHaveLength(2)
    const wrong = await world.call('adam', 'GET', `/users?department=${'x'.repeat(121)}`)
    expect([wrong.status, Object.keys(wrong.json.detail)]).toEqual([422, ['department']])
  })

  it('of another company, or outside the sub-tenant, is not among the facets', async () => {
    await add({ department: 'Secret lab' })
    for (const who of ['greta', 'nora'] as const) {
      const { json } = await world.call(who, 'GET', '/users', undefined, {
        sub: who === 'nora' ? world.north : null,
      })
      expect([who, json.facets.department.includes('Secret lab')]).toEqual([who, false])
    }
  })
})
