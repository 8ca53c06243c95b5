/** Direct access behind the sign-in screens of a site under test: accounts, messages, pools, time. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import type { Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

export const PASSWORD = 'correct horse battery staple'

export type World = {
  /** The identity provider's own tables. */
  accounts: Pool
  app: Pool
  /** The code in the latest message to a recipient of the testing tenant. */
  codeFor(recipient: string): Promise<string>
  /** Updates the account of a user of the testing tenant. */
  change(username: string, set: string): Promise<void>
  setPool(settings: object): Promise<void>
  setTenant(set: string): Promise<void>
  forgive(): Promise<void>
  close(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const accounts = new Pool({ connectionString: process.env.DATABASE_IDENTITY_URL, max: 1 })
  // A single permanent connection, since it holds the scope.
  const app = new Pool({ connectionString: process.env.DATABASE_URL, max: 1, idleTimeoutMillis: 0 })
  for (const pool of [accounts, app]) pool.on('connect', (client) => client.on('error', () => {}))
  await app.query(`select set_config('app.operator', 'on', false)`)
  const { rows } = await app.query<{ id: string }>('select id from tenants where is_testing')
  await app.query(`select set_config('app.tenant_id', $1, false)`, [rows[0]?.id])

  // A code that `forgive` reset must not be used in the next test, though its mail is still the latest.
  let forgiven = 0
  async function codeFor(recipient: string): Promise<string> {
    for (let i = 0; i < 400; i += 1) {
      const { rows } = await app.query<{ body: string }>(
        'select body from outbox_messages where recipient = $1 and id > $2 order by id desc limit 1',
        [recipient, forgiven],
      )
      const code = /\b\d{6}\b/.exec(rows[0]?.body ?? '')?.[0]
      if (code) return code
      await sleep(50)
    }
    throw new Error(`No code was sent to ${recipient}.`)
  }

  return {
    accounts,
    app,
    codeFor,
    async change(username, set) {
      await accounts.query(`update identity.users set ${set} where username = $1`, [username])
    },
    async setPool(settings) {
      await app.query('update pools set settings = settings || $1 where is_default', [
        JSON.stringify(settings),
      ])
    },
    async setTenant(set) {
      await app.query(`update tenants set ${set} where is_testing`)
    },
    async forgive() {
      await accounts.query('delete from identity.attempts')
      await accounts.query('delete from identity.codes')
      const { rows } = await app.query<{ id: number }>(
        'select coalesce(max(id), 0) as id from outbox_messages',
      )
      forgiven = rows[0]?.id ?? 0
    },
    async close() {
      await Promise.all([accounts.end(), app.end()])
    },
  }
}

/** A visitor who has typed an address at `/login`. */
export async function arrive(site: Site, email: string, query = '') {
  const visitor = await site.visitor()
  const page = await visitor.follow(await visitor.submit(`/login${query}`, { email }))
  return { visitor, page, ...hands(visitor) }
}

export function hands(visitor: Visitor) {
  return {
    /** Submits the form of a screen and follows to the resulting page. */
    answer: async (screen: string, fields: Record<string, string>) =>
      visitor.follow(await visitor.submit(`/login/${screen}`, fields)),
    open: async (path: string) => visitor.follow(await visitor.visit(path)),
    isIn: () => visitor.cookies.has('__Host-liftwell'),
  }
}
