/** Journeys under way, of which two people at once change something. */
import { type RawBuilder, sql } from 'kysely'
import { expect } from 'vitest'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { replanPeople } from '#app/jobs/replan-people.server.ts'
import { createJourneysWorld, createTestCarrier, on } from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

export type LockOrderWorld = Awaited<ReturnType<typeof createLockOrderWorld>>

export async function createLockOrderWorld() {
  const world = await createJourneysWorld()
  const inAcme = inAcmeOf(() => world)

  const clear = () =>
    inAcme(async ({ db }) => {
      await db.deleteFrom('journeys').execute()
      await sql`update users set timezone = null`.execute(db)
    })

  const launch = (id: number) => world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })

  const send = () => world.drain(createTestCarrier().carriers)

  /** Uri has a lift, a second one that follows it, and a third one with a later date. */
  async function awaited() {
    const made = await world.draft(['uri'])
    const waits = await world.addLift(made.id, 'Waits', {
      schedule: { kind: 'after_lift', lift_id: made.lift, min_hours: 24 },
    })
    const later = await world.addLift(made.id, 'Later', on(5))
    await launch(made.id)
    await send()
    return { ...made, waits, later }
  }

  const answer = (lift: number, prompt: number) =>
    world.call('uri', 'POST', `/lifts/${lift}/responses`, { responses: [{ prompt_id: prompt, value: 'a' }] })

  async function moveAll(): Promise<number> {
    await inAcme(({ db }) => sql`update users set timezone = 'Asia/Tokyo'`.execute(db))
    let moved = 0
    const info = ({ people }: Record<string, unknown>) => {
      moved = Number(people)
    }
    const log = { info, warn: info, error: info }
    await replanPeople({ database: world.database.worker, log }, { tenant_id: world.acme, everybody: true })
    return moved
  }

  /** Locks the first and then the second of two rows, as others do, and begins `work` between the two. */
  const whileLocked = async <Result>(
    [first, second]: readonly [RawBuilder<unknown>, RawBuilder<unknown>],
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const { working } = await inAcme(async ({ db }) => {
      await first.execute(db)
      const working = work()
      await expect.poll(world.database.countWaiting).toBe(1)
      await second.execute(db)
      return { working }
    })
    return working
  }

  return { ...world, inAcme, clear, launch, send, awaited, answer, moveAll, whileLocked }
}

/** Completes a lift as an answer does, except for its fact. */
export async function completeLift({ db }: Scope, lift: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`update occurrences set state = 'completed', completed_at = now()
    where lift_id = ${lift} returning id`.execute(db)
  return rows[0]?.id ?? 0
}
