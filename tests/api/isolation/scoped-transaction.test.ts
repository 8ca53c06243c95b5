/** Scopes that share a transaction: each statement runs in the scope that made it, in any order. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPool } from '#app/db/pool.server.ts'
import type { DB } from '#app/db/schema.ts'
import { askOnce } from '#app/domain/scope/ask-once.server.ts'
import { atMoment, nowIn } from '#app/domain/scope/clock.server.ts'
import {
  asParticipant,
  inScope,
  inSnapshot,
  openScope,
  type Scope,
  systemActor,
  withinTenant,
} from '#app/domain/scope/scope.server.ts'
import { shareReads } from '#app/domain/scope/shared-reads.server.ts'
import { createWorld, type World } from '#tests/api/sign-in/auth-world.ts'

let world: World
let watched: Kysely<DB>
const asked: string[] = []

beforeAll(async () => {
  world = await createWorld()
  watched = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: openPool(world.database.appUrl) }),
    log: ({ query }) => void asked.push(query.sql),
  })
})
afterAll(async () => {
  await watched?.destroy()
  await world?.close()
})
beforeEach(() => {
  asked.length = 0
})

const acme = () => systemActor(world.acme)
const learner = () => ({ ...acme(), user_id: world.people.uri.id, roles: [] })

async function tenantsSeen({ db }: Scope): Promise<string[]> {
  const rows = await db.selectFrom('users').select('tenant_id').distinct().execute()
  return rows.map(({ tenant_id }) => tenant_id)
}

const isParticipant = async ({ db }: Scope) =>
  (await sql<{ yes: boolean }>`select scope_is_participant() as yes`.execute(db)).rows[0]?.yes

const timesSet = () => asked.filter((text) => text.includes('set_config')).length

describe('Scopes of one transaction', () => {
  it('each get their own rows if they query at the same time', async () => {
    const seen = await inScope(world.db, acme(), async (scope) => {
      const elsewhere = withinTenant(scope, world.globex, async (inner) => {
        const first = await tenantsSeen(inner)
        await sleep(20)
        return [first, await tenantsSeen(inner)]
      })
      const here = [await tenantsSeen(scope)]
      for (let nth = 0; nth < 20; nth += 1) {
        here.push(await tenantsSeen(scope))
        await sleep(2)
      }
      return { elsewhere: await elsewhere, here }
    })
    expect(seen.elsewhere).toEqual([[world.globex], [world.globex]])
    expect(new Set(seen.here.flat())).toEqual(new Set([world.acme]))
  })

  it('each get their own rows after one has failed, and even one that has ended', async () => {
    await inScope(world.db, acme(), async (scope) => {
      let left: Scope | undefined
      const refused = withinTenant(scope, world.globex, async (inner) => {
        left = inner
        await tenantsSeen(inner)
        throw new Error('refused')
      })
      await expect(refused).rejects.toThrow('refused')
      expect(await tenantsSeen(scope)).toEqual([world.acme])
      expect(left && (await tenantsSeen(left))).toEqual([world.globex])
      expect(await tenantsSeen(scope)).toEqual([world.acme])
    })
  })

  it('are set again only if the scope changes', async () => {
    await inScope(watched, learner(), async (scope) => {
      for (let nth = 0; nth < 4; nth += 1) expect(await asParticipant(scope, isParticipant)).toBe(true)
      expect(await isParticipant(scope)).toBe(false)
    })
    expect(timesSet()).toBe(3)
  })

  it('reject queries that are unfinished when the transaction ends, and later ones', async () => {
    const late: Promise<unknown>[] = []
    const kept = await inScope(world.db, acme(), async (scope) => {
      const elsewhere = await withinTenant(scope, world.globex, async (inner) => inner)
      late.push(isParticipant(scope), tenantsSeen(elsewhere), tenantsSeen(scope))
      for (const one of late) one.catch(() => {})
      return scope
    })
    late.push(tenantsSeen(kept))
    const ends = await Promise.allSettled(late)
    expect(ends.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  })

  it('have their own clocks', async () => {
    const moment = new Date('2025-03-04T05:06:07.000Z')
    const now = async (scope: Scope) =>
      (await sql<{ now: Date }>`select scope_now() as now`.execute(scope.db)).rows[0]?.now
    await inScope(world.db, acme(), async (scope) => {
      await atMoment(scope, moment, async (then) => {
        expect([nowIn(then), await now(then)]).toEqual([moment, moment])
        const inner = await withinTenant(then, world.globex, async (there) => [
          nowIn(there),
          await now(there),
        ])
        expect(inner).toEqual([moment, moment])
        expect(Number(await now(scope))).toBeGreaterThan(Number(moment))
      })
      expect(Number(nowIn(scope))).toBeGreaterThan(Date.now() - 60_000)
      expect(Number(await now(scope))).toBeGreaterThan(Date.now() - 60_000)
    })
  })

  it('use the clock of their tenant, even if three enter it at the same time', async () => {
    const ahead = 86_400_000
    const setClock = (clock_ahead_ms: number) =>
      world.stage
        .updateTable('tenants')
        .set({ is_testing: clock_ahead_ms > 0, clock_ahead_ms })
        .where('id', '=', world.globex)
        .execute()
    await setClock(ahead)
    const isAhead = (scope: Scope) => Number(nowIn(scope)) - Date.now() > ahead / 2
    await inScope(world.db, acme(), async (scope) => {
      const enter = () => withinTenant(scope, world.globex, async (inner) => isAhead(inner))
      expect(await Promise.all([enter(), enter(), enter()])).toEqual([true, true, true])
      expect(isAhead(scope)).toBe(false)
    })
    await setClock(0)
  })

  it('ask the same question once per scope if the transaction is read-only', async () => {
    let times = 0
    const ask = (scope: Scope) =>
      askOnce(scope, ['tenants'], () => {
        times += 1
        return tenantsSeen(scope)
      })
    const inEach = async (scope: Scope) => [
      await ask(scope),
      await withinTenant(scope, world.globex, ask),
      await ask(scope),
      await withinTenant(scope, world.globex, ask),
    ]
    const each = [[world.acme], [world.globex], [world.acme], [world.globex]]
    expect(await inSnapshot(world.db, acme(), inEach)).toEqual(each)
    expect(times).toBe(2)
    expect(await shareReads(world.db)(acme(), inEach)).toEqual(each)
    expect(times).toBe(4)
    expect(await inScope(world.db, acme(), inEach)).toEqual(each)
    expect(times).toBe(8)
  })

  it('can be opened side by side in a transaction that has just begun', async () => {
    await world.db.transaction().execute(async (db) => {
      const one = await openScope(db, acme())
      const other = await openScope(db, systemActor(world.globex))
      expect(await tenantsSeen(one)).toEqual([world.acme])
      expect(await tenantsSeen(other)).toEqual([world.globex])
    })
  })
})
