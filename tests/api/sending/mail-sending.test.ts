/** Lifts and sign-in mails through a real mail server, and how the platform handles its answers. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setSecret, unseal } from '#app/auth/seal.server.ts'
import { connect } from '#app/db/connect.server.ts'
import type { Message } from '#app/integrations/carrier.ts'
import { startWorkers } from '#app/jobs/workers.server.ts'
import { createCarriers, sendPatiently } from '#app/process/carriers.server.ts'
import { createJourneysWorld, type JourneysWorld, ORIGIN } from '#tests/api/journeys/journeys-world.ts'
import { type Hooks, startMailServer } from '#tests/fakes/mail-server.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

let world: JourneysWorld
let server: Awaited<ReturnType<typeof startMailServer>>
let answers: NonNullable<Hooks['at']>
const DATA_DIR = mkdtempSync(join(tmpdir(), 'liftwell-mail-'))
const logged: string[] = []
const write = (fields: Record<string, unknown>) => void logged.push(JSON.stringify(fields))
const log = { info: write, warn: write, error: write }

beforeAll(async () => {
  setSecret('a-secret-for-tests-of-at-least-32-characters')
  world = await createJourneysWorld()
  server = await startMailServer({ at: (step, address) => answers(step, address) })
  await inAcme(({ db }) => sql`update users set email = first_name || '@mail.internal'`.execute(db))
})
afterAll(async () => {
  await server?.stop()
  await world?.drop()
  rmSync(DATA_DIR, { recursive: true, force: true })
})
beforeEach(async () => {
  answers = () => undefined
  server.taken.length = 0
  logged.length = 0
  await inAcme(({ db }) => db.deleteFrom('journeys').execute())
})
afterEach(() => expect(logged.join('\n')).not.toMatch(/mail\.internal|p@ss|123456/))

const carriers = () =>
  createCarriers({
    config: {
      DATA_DIR,
      PUBLIC_ORIGIN: ORIGIN,
      DEMO: false,
      SMTP_URL: `smtp://liftwell:p%40ss%3Aword@127.0.0.1:${server.port}`,
      MAIL_FROM: 'Liftwell <lifts@learn.internal>',
    },
    databases: { worker: world.database.worker },
    log,
  })

const workers = () =>
  startWorkers({
    databases: { worker: world.database.worker, workerUrl: world.database.workerUrl },
    origin: ORIGIN,
    carriers: carriers(),
    identityAdmin: {
      invite: async ({ email }) => ({
        sub: email,
        link: 'http://localhost/invitation/default/x',
        temporary_until: new Date(),
      }),
      setEnabled: async () => {},
      changeEmail: async () => {},
      erase: async () => {},
      requireReset: async () => {},
      setSecondFactor: async () => {},
      signOutEverywhere: async () => {},
    },
    unseal,
    log,
    isIdle: true,
  })

async function drain(): Promise<void> {
  const one = await workers()
  await one.drain()
  await one.stop()
}

describe('A lift by e-mail', () => {
  async function launch() {
    const { id } = await world.draft(['uri'], { name: `Mailed ${Math.random()}` })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  }
  const dispatches = () =>
    inAcme(({ db }) =>
      db
        .selectFrom('dispatches')
        .select(['state', 'attempts', 'provider_id', 'error_code', 'next_attempt_at'])
        .execute(),
    )
  const timePasses = () =>
    inAcme(({ db }) => sql`update dispatches set next_attempt_at = least(next_attempt_at, now())`.execute(db))

  it('is accepted by the mail server with the lift’s title and link', async () => {
    await launch()
    await drain()
    expect(await dispatches()).toMatchObject([{ state: 'accepted', attempts: 1 }])
    expect(server.taken).toMatchObject([{ to: ['Uri@mail.internal'], user: 'liftwell' }])
    expect(server.taken[0]?.raw).toContain('Listen first')
    expect(server.taken[0]?.raw).toContain(`${ORIGIN}/lift/`)
    expect(await inAcme(({ db }) => db.selectFrom('outbox_messages').selectAll().execute())).toEqual([])
  })

  it('is tried again after a temporary refusal, and fails after a permanent one', async () => {
    await launch()
    answers = (step) => (step === 'RCPT' ? { code: 450, text: 'Greylisted uri@mail.internal' } : undefined)
    await drain()
    expect(await dispatches()).toMatchObject([{ state: 'planned', attempts: 1, error_code: 'smtp:450' }])
    await timePasses()
    answers = (step) => (step === 'RCPT' ? { code: 550, text: 'No such mailbox' } : undefined)
    await drain()
    expect(await dispatches()).toMatchObject([{ state: 'failed', attempts: 2, error_code: 'smtp:550' }])
    expect(server.taken).toEqual([])
  })

  it('is never sent again if the connection breaks after it was handed over', async () => {
    await launch()
    answers = (step) => (step === 'END' ? 'drop' : undefined)
    await drain()
    expect(await dispatches()).toMatchObject([{ state: 'unknown', attempts: 1 }])
    answers = () => undefined
    for (let i = 0; i < 3; i += 1) {
      await timePasses()
      await drain()
    }
    expect(await dispatches()).toMatchObject([{ state: 'unknown', attempts: 1 }])
    expect(server.taken).toHaveLength(1)
  })
})

describe('A sign-in code by e-mail', () => {
  const code: Message = {
    tenant_id: '',
    key: '',
    channel: 'email',
    to: 'uri@mail.internal',
    subject: 'Your code',
    text: 'Your code is 123456.',
  }
  let nth = 0
  const send = (more: Partial<Message> = {}) => {
    nth += 1
    const message = { ...code, tenant_id: world.acme, key: `identity:${nth}`, ...more }
    return sendPatiently(carriers(), { worker: world.database.worker })(message)
  }
  const jobs = async () => {
    const { rows } = await sql<{ id: string; payload: unknown }>`
      select id, payload from graphile_worker._private_jobs where task_id =
        (select id from graphile_worker._private_tasks where identifier = 'carry-message')`.execute(
      world.database.worker,
    )
    return rows
  }
  const now = () =>
    sql`update graphile_worker._private_jobs set run_at = now()`.execute(world.database.worker)

  it('is sent at once, without a job', async () => {
    await send()
    expect(server.taken).toMatchObject([{ to: ['uri@mail.internal'] }])
    expect(await jobs()).toEqual([])
  })

  it('waits encrypted in a job until the busy mail server takes it', async () => {
    answers = (step) => (step === 'RCPT' ? { code: 451, text: 'Try later' } : undefined)
    await send()
    const waiting = await jobs()
    expect(waiting).toHaveLength(1)
    expect(JSON.stringify(waiting)).not.toMatch(/123456|uri@/)
    await now()
    await drain()
    expect([await jobs(), server.taken].map((all) => all.length)).toEqual([1, 0])
    answers = () => undefined
    await now()
    await drain()
    expect([await jobs(), server.taken].map((all) => all.length)).toEqual([0, 1])
    expect(server.taken[0]?.raw).toContain('Your code is 123456.')
  })

  it('is not sent once it has expired', async () => {
    answers = (step) => (step === 'RCPT' ? { code: 451, text: 'Try later' } : undefined)
    await send()
    answers = () => undefined
    await sql`update graphile_worker._private_jobs set run_at = now(),
      payload = (payload::jsonb || '{"until": "2020-01-01T00:00:00Z"}')::json`.execute(world.database.worker)
    await drain()
    expect([await jobs(), server.taken].map((all) => all.length)).toEqual([0, 0])
  })

  it('is neither repeated nor queued after a refusal or an unclear answer', async () => {
    answers = (step) => (step === 'RCPT' ? { code: 550, text: 'No' } : undefined)
    await expect(send()).rejects.toMatchObject({ outcome: 'refused' })
    answers = (step) => (step === 'END' ? 'drop' : undefined)
    await expect(send()).rejects.toMatchObject({ outcome: 'unclear' })
    expect([await jobs(), server.taken].map((all) => all.length)).toEqual([0, 1])
  })

  it('is kept in the outbox for reserved domains and for the testing tenant', async () => {
    for (const to of ['a@acme.example', 'a@sub.example.com', 'a@host.test', 'a@x.invalid']) await send({ to })
    expect(server.taken).toEqual([])
    const stage = connect(world.database.adminUrl, { max: 1 })
    await sql`update tenants set is_testing = true where id = ${world.acme}`.execute(stage)
    await send()
    await sql`update tenants set is_testing = false where id = ${world.acme}`.execute(stage)
    await stage.destroy()
    expect(server.taken).toEqual([])
    const kept = await inAcme(({ db }) => db.selectFrom('outbox_messages').select('recipient').execute())
    expect(kept).toHaveLength(5)
    const files = readdirSync(join(DATA_DIR, 'outbox'))
    expect(files).toHaveLength(5)
    expect(readFileSync(join(DATA_DIR, 'outbox', files[0] ?? ''), 'utf8')).toContain('Your code is 123456.')
  })
})

describe('An invitation', () => {
  let nth = 0
  const invite = async () => {
    nth += 1
    const person = { first_name: 'Nova', last_name: String(nth), email: `nova-${nth}@mail.internal` }
    const roles = [{ role: 'user' }]
    await world.must('adam', 'POST', '/users', { ...person, user_general_roles: roles, send_welcome: true })
  }
  const again = async () => {
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(world.database.worker)
    await drain()
  }
  const told = () =>
    inAcme(({ db }) =>
      db
        .selectFrom('notifications')
        .select(sql<string>`content ->> 'message'`.as('message'))
        .where(sql<boolean>`content ->> 'message' like ${`%invitation of Nova ${nth} %`}`)
        .execute(),
    )

  it('waits while the mail server is busy, and is sent once', async () => {
    answers = (step) => (step === 'RCPT' ? { code: 451, text: 'Try later' } : undefined)
    await invite()
    await drain()
    expect(server.taken).toHaveLength(0)
    answers = () => undefined
    for (let i = 0; i < 3; i += 1) await again()
    expect(server.taken).toHaveLength(1)
    expect(await told()).toEqual([])
  })

  it('is not sent again if the connection breaks after it; administrators are notified', async () => {
    answers = (step) => (step === 'END' ? 'drop' : undefined)
    await invite()
    for (let i = 0; i < 3; i += 1) await again()
    expect(server.taken).toHaveLength(1)
    expect(await told()).toHaveLength(1)
  })

  it.each([
    ['refuses it', 550],
    ['stays busy', 451],
  ])('leads to one notification to administrators if the mail server %s', async (_, code) => {
    answers = (step) => (step === 'RCPT' ? { code, text: 'Not now, or never' } : undefined)
    await invite()
    await drain()
    await sql`update graphile_worker._private_jobs set attempts = max_attempts - 1`.execute(
      world.database.worker,
    )
    for (let i = 0; i < 2; i += 1) await again()
    expect(server.taken).toHaveLength(0)
    expect(await told()).toEqual([{ message: expect.stringContaining('the mail server did not take it') }])
  })

  it('is not sent again by a job whose process died while sending it', async () => {
    await invite()
    await inAcme(({ db, actor }) =>
      sql`insert into sent_messages (tenant_id, key, provider_id)
        select ${actor.tenant_id}, payload ->> 'tenant_id' || ':invite-user:' || (payload ->> 'user_id') || ':'
          || (payload ->> 'nonce'), 'begun' from graphile_worker._private_jobs where payload ->> 'user_id' is not null`.execute(
        db,
      ),
    )
    for (let i = 0; i < 3; i += 1) await again()
    expect(server.taken).toHaveLength(0)
    expect(await told()).toHaveLength(1)
  })
})

const inAcme = inAcmeOf(() => world, 'worker')
