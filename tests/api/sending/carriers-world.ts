/** A company that writes to many people, through a fake mail server and a fake Twilio that behave as told. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { setSecret, unseal } from '#app/auth/seal.server.ts'
import { createCarriers } from '#app/process/carriers.server.ts'
import { createJourneysWorld, ORIGIN } from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'
import { type Hooks, startMailServer } from '#tests/fakes/mail-server.ts'
import { ACCOUNT, TOKEN } from '#tests/fakes/twilio-server.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

/** How many people get a text, and how many an e-mail. */
export const TEXTS = 20
export const MAILS = 40
export const PATIENCE = { timeout: 60_000, interval: 50 }
const SECRET = 'a-secret-for-tests-of-at-least-32-characters'

export type CarriersWorld = Awaited<ReturnType<typeof createCarriersWorld>>

export async function createCarriersWorld() {
  setSecret(SECRET)
  const world = await createJourneysWorld()
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'liftwell-carriers-'))
  const mood: Hooks = {}
  const mails = await startMailServer({ at: (...step) => mood.at?.(...step) }, { closeTimeout: 100 })
  const inAcme = inAcmeOf(() => world, 'worker')

  await inAcme(({ db }) =>
    sql`insert into users (tenant_id, email, first_name, last_name, activation_status, timezone, mobile_phone)
      select ${world.acme}, 'person-' || n || '@mail.internal', 'Person', 'Test', 'active', ${zoneAt(13)},
        case when n <= ${TEXTS} then '+43664' || (1000000 + n) end from generate_series(1, ${TEXTS + MAILS}) n`.execute(
      db,
    ),
  )
  await inAcme(({ db }) =>
    sql`insert into consent_events (tenant_id, number, user_id, action, source)
      select tenant_id, mobile_phone, id, 'opt_in', 'profile' from users where mobile_phone is not null`.execute(
      db,
    ),
  )

  const configOf = (TWILIO_API_URL: string) => ({
    DATA_DIR,
    PUBLIC_ORIGIN: ORIGIN,
    DEMO: false,
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: 'Liftwell <lifts@learn.internal>',
    TWILIO_ACCOUNT_SID: ACCOUNT,
    TWILIO_AUTH_TOKEN: TOKEN,
    TWILIO_FROM: '+15551234567',
    TWILIO_API_URL,
  })

  return {
    ...world,
    inAcme,
    mails,
    mood,
    /** Starts jobs and sender with the mail server and the API at this address. */
    async start(twilioUrl: string, log: Parameters<typeof createCarriers>[0]['log']) {
      const carriers = createCarriers({ config: configOf(twilioUrl), databases: world.database, log })
      return { carriers, workers: await world.workers(carriers, { isIdle: false, unseal, log }) }
    },
    /** The settings of a sending process, as JSON. */
    settingOf: (twilioUrl: string) =>
      JSON.stringify({ secret: SECRET, workerUrl: world.database.workerUrl, config: configOf(twilioUrl) }),

    /** Launches a journey that now writes to the people with a number, or to those without. */
    async launch(channel: 'sms' | 'email'): Promise<void> {
      const { id } = await world.draft([], { name: `By ${channel}`, channels: [channel] })
      const people = await inAcme(({ db }) =>
        db
          .selectFrom('users')
          .select('id')
          .where('first_name', '=', 'Person')
          .where('mobile_phone', channel === 'sms' ? 'is not' : 'is', null)
          .execute(),
      )
      await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: people.map((one) => one.id) })
      await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    },

    /** The number of messages of a channel in each state. */
    async states(channel: 'sms' | 'email'): Promise<Record<string, number>> {
      const rows = await inAcme(({ db }) =>
        db
          .selectFrom('dispatches')
          .select(['state', sql<number>`count(*)::int`.as('count')])
          .where('channel', '=', channel)
          .where('kind', '=', 'lift')
          .groupBy('state')
          .execute(),
      )
      return Object.fromEntries(rows.map((row) => [row.state, row.count]))
    },

    /** Makes retries due now. */
    hurry: () =>
      inAcme(({ db }) =>
        sql`update dispatches set next_attempt_at = now() where state = 'planned'`.execute(db),
      ),

    /** Removes all planned, waiting and taken messages. */
    async forget(): Promise<void> {
      mood.at = () => undefined
      mails.taken.length = 0
      mails.lasted.length = 0
      await inAcme(({ db }) => db.deleteFrom('journeys').execute())
      await sql`delete from graphile_worker._private_jobs`.execute(world.database.worker)
    },

    async drop(): Promise<void> {
      await mails.stop()
      await world.drop()
      rmSync(DATA_DIR, { recursive: true, force: true })
    },
  }
}
