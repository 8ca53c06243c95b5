import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('A query returns numbers as numbers, instants as dates, and wall-clock times as text', async () => {
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

it('A query fails on an integer too big for a number, and the connection keeps working', async () => {
  await expect(sql`select 9007199254740993::bigint`.execute(database.app)).rejects.toThrow('too big')
  expect((await sql`select 1 as one`.execute(database.app)).rows).toEqual([{ one: 1 }])
})

describe('A transaction', () => {
  const countOpen = async () => {
    const admin = await database.connectAdmin()
    const { rowCount } = await admin.query(`select from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`)
    return rowCount
  }
  const begin = () => database.app.transaction()

  it('begins with its first statement', async () => {
    const counts = await begin().execute(async (db) => {
      const before = await countOpen()
      await sql`select 1`.execute(db)
      return [before, await countOpen()]
    })
    expect(counts).toEqual([0, 1])
    expect(await countOpen()).toBe(0)
  })

  it('is read-only from its first statement on', async () => {
    const write = sql`create temporary table kept (id integer)`
    await expect(
      begin()
        .setAccessMode('read only')
        .execute((db) => write.execute(db)),
    ).rejects.toThrow('read-only transaction')
  })

  it('undoes its first statement if a later one fails', async () => {
    const key = 5
    const locks = () =>
      sql`select from pg_locks where locktype = 'advisory' and objid = ${key}`.execute(database.app)
    await expect(
      begin().execute(async (db) => {
        await sql`select pg_advisory_xact_lock(${key})`.execute(db)
        expect((await locks()).rows).toHaveLength(1)
        await sql`select 1 / 0`.execute(db)
      }),
    ).rejects.toThrow('division by zero')
    expect((await locks()).rows).toEqual([])
  })

  it('without a statement leaves its connection outside a transaction', async () => {
    await begin().execute(async () => {})
    await sql`select 1`.execute(database.app)
    expect(await countOpen()).toBe(0)
  })
})
