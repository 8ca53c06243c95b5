/** Every table and command, from a company, a sub-tenant and without a scope, and with each policy dropped. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { changesToPolicies } from './wall-changes.ts'
import { breaches, buildWalls, type Wall } from './wall-world.ts'

let database: TestDatabase
let admin: pg.Client
let walls: Wall[]

beforeAll(async () => {
  database = await createTestDatabase()
  admin = await database.connectAdmin()
  walls = await buildWalls(admin)
})
afterAll(() => database?.drop())

describe('The policies of every table', () => {
  it('give each company and sub-tenant access to its own rows only', async () => {
    const found: string[] = []
    for (const wall of walls) found.push(...(await breaches(admin, wall)))
    expect(found).toEqual([])
  })

  it('are all needed: dropping or widening any of them changes the result of some statement', async () => {
    const changes = await changesToPolicies(admin)
    const policies = new Set(changes.map(({ name }) => name.split(' ').slice(0, 3).join(' ')))
    expect(policies.size).toBe(walls.length * 4)
    const unseen: string[] = []
    for (const { table, command, name, by } of changes) {
      const wall = walls.find((one) => one.table === table) as Wall
      if ((await breaches(admin, wall, by, command)).length === 0) unseen.push(name)
    }
    expect(unseen).toEqual([])
  }, 120_000)
})
