/** Sending and jobs resume by themselves once the database can be reached again, and log while it cannot. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '#app/db/connect.server.ts'
import { addJob } from '#app/db/queue.server.ts'
import { WORKER_STATEMENT_MS } from '#app/db/timeouts.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { Workers } from '#app/jobs/workers.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { startDatabaseProxy } from '#tests/support/tcp-proxy.ts'

let world: JourneysWorld
let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>
let proxied: ReturnType<typeof connect>
let workers: Workers
const { carriers, taken } = createTestCarrier()

beforeAll(async () => {
  world = await createJourneysWorld()
  const { workerUrl } = world.database
  proxy = await startDatabaseProxy(workerUrl)
  const url = proxy.through(workerUrl)
  proxied = connect(url, { statement_timeout: WORKER_STATEMENT_MS })
  workers = await world.workers(carriers, {
    isIdle: false,
    databases: { worker: proxied, workerUrl: url },
  })
})
afterAll(async () => {
  await proxy?.pass()
  await workers?.stop()
  await proxied?.destroy()
  await proxy?.close()
  await world?.drop()
})

/** How long the same work takes without trouble, since a busy machine is slow at it, too. */
let usualMs = 0

const lifts = () => taken.filter(({ key }) => !key.includes(':invite-user:'))

/** Within `ms` a message is sent and a job is done. A job whose connection broke at its end runs again, and mails once. */
async function expectWork(ms: number): Promise<void> {
  const [sent, nonce] = [lifts().length, randomUUID()]
  const journey = await world.draft(['uri'], { name: `Sent ${Math.random()}` })
  await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, { send_now: true })
  const { user_id } = world.people.uri
  await inScope(world.database.app, systemActor(world.acme), ({ db }) =>
    addJob(db, 'invite-user', { tenant_id: world.acme, user_id, nonce }),
  )
  const waiting = { timeout: ms, interval: 50 }
  await expect.poll(() => lifts().length, waiting).toBe(sent + 1)
  await expect.poll(() => taken.filter(({ key }) => key.endsWith(nonce)).length, waiting).toBe(1)
}

describe('The workers', () => {
  it('send due messages and run due jobs', async () => {
    const began = performance.now()
    await expectWork(20_000)
    usualMs = performance.now() - began
  }, 60_000)

  it('recover by themselves when their connections stop answering', async () => {
    proxy.freeze()
    await expectWork(15_000 + usualMs)
    expect(workers.stalled()).toEqual([])
  }, 60_000)

  it('recover by themselves after the database was unreachable', async () => {
    await proxy.refuse()
    proxy.reset()
    await sleep(3_000)
    await proxy.pass()
    await expectWork(5_000 + usualMs)
    expect(workers.stalled()).toEqual([])
  }, 60_000)

  it('report that they are stalled until the database answers again', async () => {
    proxy.blackhole()
    await expect
      .poll(() => workers.stalled().sort(), { timeout: 30_000 })
      .toEqual(['listener', 'queue', 'sender'])
    await proxy.pass()
    await expectWork(60_000)
    await expect.poll(() => workers.stalled(), { timeout: 15_000 }).toEqual([])
  }, 150_000)
})
