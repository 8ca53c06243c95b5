import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('reads numbers as numbers, instants as dates, and wall-clock times as text', async () => {
  const { rows } = await sql`
    select 7::bigint as id, 0.25::numeric as score, date '2024-02-29' as day, time '09:00' as at,
      timestamp '2024-03-31 02:30' as wall, timestamptz '2024-01-01T00:00:00Z' as instant,
      array[1, null]::bigint[] as ids, array[date '2024-02-29'] as days`.execute(database.app)
  expect(rows[0]).toEqual({
    id: 7,
    score: 0.25,
    day: '2024-02-29',
    at: '09:00:00',
    wall: '2024-03-31 02:30:00',
    instant: new Date('2024-01-01T00:00:00Z'),
    ids: [1, null],
    days: ['2024-02-29'],
  })
})

it('refuses an integer that a number cannot hold, and goes on', async () => {
  await expect(sql`select 9007199254740993::bigint`.execute(database.app)).rejects.toThrow('too big')
  expect((await sql`select 1 as one`.execute(database.app)).rows).toEqual([{ one: 1 }])
})
