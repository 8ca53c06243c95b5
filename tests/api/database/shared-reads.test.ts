/** Reads of one request share a transaction: only those of one scope, one after the other, and without writes. */
import { setTimeout as sleep, setImmediate as soon } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inScope, type Scope, systemActor, withinTenant } from '#app/domain/scope/scope.server.ts'
import { type InScope, shareReads } from '#app/domain/scope/shared-reads.server.ts'
import { createWorld, type World } from '#tests/api/sign-in/auth-world.ts'

let world: World
let reads: InScope

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world?.close())
beforeEach(() => {
  reads = shareReads(world.db)
})

const acme = () => systemActor(world.acme)
const globex = () => systemActor(world.globex)

async function transactionOf({ db }: Scope): Promise<string> {
  const { rows } = await sql<{ one: string }>`select pg_backend_pid() || ' ' || now() as one`.execute(db)
  return rows[0]?.one ?? ''
}

async function tenantsSeen({ db }: Scope): Promise<string[]> {
  const rows = await db.selectFrom('users').select('tenant_id').distinct().execute()
  return rows.map(({ tenant_id }) => tenant_id)
}

async function openTransactions(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(world.stage)
  return Number(rows[0]?.count)
}

describe('Reads of one request', () => {
  it('share a transaction, even if one comes after another was answered', async () => {
    const [one, other] = await Promise.all([reads(acme(), transactionOf), reads(acme(), transactionOf)])
    const third = await reads(acme(), transactionOf)
    expect([other, third]).toEqual([one, one])
  })

  it('leave no transaction open, even after an error', async () => {
    await reads(acme(), transactionOf)
    await soon()
    await sleep(50)
    expect(await openTransactions()).toBe(0)
    await reads(acme(), () => Promise.reject(new Error('refused'))).catch(() => {})
    await sleep(50)
    expect(await openTransactions()).toBe(0)
  })

  it('leave the pool usable when the database ends their connection', async () => {
    for (let nth = 0; nth < 30; nth += 1) {
      reads = shareReads(world.db)
      const pid = (await reads(acme(), transactionOf)).split(' ')[0]
      const over = reads(acme(), async ({ db }) => {
        await sql`select pg_terminate_backend(${pid}::int)`.execute(world.stage)
        await sql`select 1`.execute(db)
      })
      await expect(over).rejects.toThrow()
    }
    expect(await shareReads(world.db)(acme(), tenantsSeen)).toEqual([world.acme])
  })

  it('of two tenants share no transaction, and each sees only its own rows', async () => {
    const seen = await Promise.all([reads(acme(), tenantsSeen), reads(globex(), tenantsSeen)])
    expect(seen).toEqual([[world.acme], [world.globex]])
    const [one, other] = await Promise.all([reads(acme(), transactionOf), reads(globex(), transactionOf)])
    expect(other).not.toBe(one)
  })

  it('of different people, sub-tenants or rights in one tenant share no transaction', async () => {
    const { adam, uri } = world.people
    const actors = [
      { ...acme(), user_id: adam.id },
      { ...acme(), user_id: uri.id },
      { ...acme(), sub_tenant_id: world.north },
      { ...acme(), as_participant: true },
    ]
    const all = await Promise.all(actors.map((actor) => reads(actor, transactionOf)))
    expect(new Set(all).size).toBe(actors.length)
  })

  it('wait for a read that works inside another tenant', async () => {
    const elsewhere = reads(acme(), (scope) =>
      withinTenant(scope, world.globex, async (inner) => {
        await sleep(50)
        return tenantsSeen(inner)
      }),
    )
    const here = reads(acme(), tenantsSeen)
    expect(await Promise.all([elsewhere, here])).toEqual([[world.globex], [world.acme]])
  })

  it('see only their own tenant after a read failed while inside another tenant', async () => {
    const failed = reads(acme(), (scope) => {
      const left = withinTenant(scope, world.globex, async (inner) => {
        await tenantsSeen(inner)
        await sleep(100)
      })
      left.catch(() => {})
      return Promise.all([left, sleep(20).then(() => Promise.reject(new Error('refused')))])
    })
    const next = reads(acme(), tenantsSeen)
    await expect(failed).rejects.toThrow('refused')
    expect(await next).toEqual([world.acme])
  })

  it('are in a read-only transaction', async () => {
    const isReadOnly = async ({ db }: Scope) =>
      (await sql<{ transaction_read_only: string }>`show transaction_read_only`.execute(db)).rows[0]
    expect(await reads(acme(), isReadOnly)).toEqual({ transaction_read_only: 'on' })
  })

  it('carry out a write once, in its own transaction', async () => {
    const { adam } = world.people
    const before = await reads(acme(), transactionOf)
    const rename = async ({ db }: Scope) => {
      const { rows } = await sql<{ job_title: string }>`update users
        set job_title = coalesce(job_title, '') || 'x' where id = ${adam.id} returning job_title`.execute(db)
      return rows[0]?.job_title
    }
    expect(await reads(acme(), rename)).toBe('x')
    const stored = await inScope(world.db, acme(), ({ db }) =>
      db.selectFrom('users').select('job_title').where('id', '=', adam.id).executeTakeFirst(),
    )
    expect(stored?.job_title).toBe('x')
    expect(await reads(acme(), transactionOf)).not.toBe(before)
  })

  it('see in the next request what has changed since', async () => {
    const { uri } = world.people
    const status = async ({ db }: Scope) =>
      (await db.selectFrom('users').select('activation_status').where('id', '=', uri.id).executeTakeFirst())
        ?.activation_status
    expect(await reads(acme(), status)).toBe('active')
    await sql`update users set activation_status = 'disabled' where id = ${uri.id}`.execute(world.stage)
    expect(await shareReads(world.db)(acme(), status)).toBe('disabled')
  })
})
