/** A process dies while it runs jobs: others take those over, and leave the jobs of living processes alone. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addJob } from '#app/db/queue.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { listenForDispatches } from '#app/jobs/listen.server.ts'
import { createPulse } from '#app/jobs/pulse.server.ts'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'

let world: JourneysWorld
let admin: pg.Client
beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
})
afterAll(() => world?.drop())

/** An invitation that the process with this queue took and did not finish. */
async function takenBy(queueId: string, ago = '1 minute'): Promise<string> {
  const { email, user_id } = world.people.uri
  await inScope(world.database.app, systemActor(world.acme), ({ db }) =>
    addJob(db, 'invite-user', { tenant_id: world.acme, user_id }, { key: queueId }),
  )
  const { rowCount } = await admin.query(
    `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - $2::interval, attempts = 1 where key like '%:' || $1`,
    [queueId, ago],
  )
  expect(rowCount).toBe(1)
  return email
}

const isWaiting = async (queueId: string) =>
  (await admin.query(`select from graphile_worker._private_jobs where key like '%:' || $1`, [queueId]))
    .rowCount === 1

describe('A job', () => {
  it('is done by another process once its own process is dead', async () => {
    const email = await takenBy('pool-dead')
    await world.drain()
    expect(await isWaiting('pool-dead')).toBe(false)
    expect(world.invited).toContain(email)
  })

  it('is left to its process as long as that process is alive', async () => {
    let isHeard = () => {}
    const heard = new Promise<void>((done) => (isHeard = done))
    const listener = listenForDispatches(
      world.database.workerUrl,
      isHeard,
      () => ['pool-alive'],
      createPulse(),
    )
    await heard
    await takenBy('pool-alive', '3 hours')
    await world.drain()
    expect(await isWaiting('pool-alive')).toBe(true)
    await listener.stop()
    await world.drain()
    expect(await isWaiting('pool-alive')).toBe(false)
  })

  it('is not taken over if it was taken only a second ago', async () => {
    await takenBy('pool-new', '1 second')
    await world.drain()
    expect(await isWaiting('pool-new')).toBe(true)
  })
})

describe('A job whose process died in its last attempt', () => {
  const die = (task: string) =>
    admin.query(
      `update graphile_worker._private_jobs set locked_by = 'pool-last', locked_at = now() - interval '1 minute',
        attempts = max_attempts
      where task_id = (select id from graphile_worker._private_tasks where identifier = $1)`,
      [task],
    )

  it('ends an export, which says that it failed', async () => {
    const { id } = await world.must('adam', 'POST', '/analytics/exports', {
      table: 'overview',
      format: 'csv',
    })
    expect((await die('make-export')).rowCount).toBe(1)
    await world.drain()
    expect(await world.must('adam', 'GET', `/exports/${id}`)).toMatchObject({
      status: 'failed',
      problem: 'Something went wrong while it was made. Please try again later.',
    })
  })

  it('ends an import, which says what to do', async () => {
    const principal = world.people.adam
    const body = new FormData()
    body.set('file', new File(['email,first_name\nlate@import.example,Late'], 'people.csv'))
    const headers = { authorization: 'Bearer adam', 'x-tenant-id': principal.tenant_id }
    const request = new Request('http://api.test/api/v1/users/import', { method: 'POST', headers, body })
    const { id } = await (await world.api.fetch(request, { caller: { token: 'adam', principal } })).json()
    expect((await die('import-users')).rowCount).toBe(1)
    await world.drain()
    const ended = await world.must('adam', 'GET', `/users/imports/${id}`)
    expect(ended).toMatchObject({ problem: expect.stringContaining('Please import it again later') })
    expect((await world.must('adam', 'GET', '/users?q=late@import.example')).data).toEqual([])
  })
})
