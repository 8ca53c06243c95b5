/**
 * Companies whose people sign in at Cognito through our screens: a foreign server of it, and the service's wire
 * formats.
 */
import { type Kysely, sql } from 'kysely'
import { seal, setSecret } from '#app/auth/seal.server.ts'
import { connect } from '#app/db/connect.server.ts'
import type { DB } from '#app/db/schema.ts'
import { type CognitoLocal, startCognitoLocal } from '#tests/fakes/cognito-local.ts'
import { type CognitoWire, startCognitoWire, WIRE_POOL } from '#tests/fakes/cognito-wire.ts'
import type { Site } from '#tests/support/site.ts'
import { hands } from './sign-in-world.ts'

export type CognitoWorld = {
  local: CognitoLocal
  wire: CognitoWire
  stage: Kysely<DB>
  /** The id that the foreign server gave its pool. */
  local_pool: string
  /** Adds a person who has not signed in yet, to the company of their address. */
  addPerson(email: string): Promise<void>
  /** Changes the stored settings of one of the pools. */
  setPool(id: 'local' | 'wire', settings: object): Promise<void>
  /** A sealed client secret, as the row of a pool contains it. */
  sealed(id: string, secret: string): string
  close(): Promise<void>
}

export async function openCognito(site: Site): Promise<CognitoWorld> {
  setSecret(process.env.APP_SECRET ?? '')
  const stage = connect(site.adminUrl, { max: 2 })
  const local = await startCognitoLocal()
  const wire = await startCognitoWire()
  const its = await local.createPool()
  await addCompany(stage, {
    ...its,
    id: 'local',
    client_secret_sealed: its.client_secret && seal(its.client_secret, 'pool:local'),
    settings: { api_endpoint: local.endpoint },
  })
  await addCompany(stage, {
    id: 'wire',
    issuer: wire.issuer,
    client_id: WIRE_POOL.client_id,
    client_secret_sealed: null,
    settings: { api_endpoint: wire.url },
  })
  return {
    local,
    wire,
    stage,
    local_pool: its.id,
    async addPerson(email) {
      const tenant_id = await tenantOf(stage, /@local\./.test(email) ? 'local' : 'wire')
      const person = { tenant_id, email, activation_status: 'invited', accepted_terms_on: new Date() }
      const { id } = await stage
        .insertInto('users')
        .values({ ...person, first_name: 'Pia', last_name: 'There' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await stage.insertInto('user_general_roles').values({ tenant_id, user_id: id, role: 'user' }).execute()
    },
    async setPool(id, settings) {
      await sql`update pools set settings = settings || ${JSON.stringify(settings)} where id = ${id}`.execute(
        stage,
      )
    },
    sealed: (id, secret) => seal(secret, `pool:${id}`),
    async close() {
      await Promise.all([local.stop(), wire.stop(), stage.destroy()])
    },
  }
}

type Pool = {
  id: string
  issuer: string
  client_id: string
  client_secret_sealed: string | null
  settings: object
}

/** A company that everyone who signs up joins. */
async function addCompany(stage: Kysely<DB>, { id, issuer, client_id, ...pool }: Pool): Promise<void> {
  const { client_secret_sealed, settings } = pool
  const kept = {
    id,
    name: id,
    kind: 'cognito',
    login_mode: 'screens',
    issuer,
    client_id,
    client_secret_sealed,
  }
  await stage
    .insertInto('pools')
    .values({ ...kept, settings: '{}' })
    .execute()
  const { id: tenant_id } = await stage
    .insertInto('tenants')
    .values({ name: `People of ${id}`, pool_id: id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await stage
    .updateTable('pools')
    .set({ settings: JSON.stringify({ ...settings, sign_up: { tenant_id } }) })
    .where('id', '=', id)
    .execute()
}

async function tenantOf(stage: Kysely<DB>, pool_id: string): Promise<string> {
  const row = await stage.selectFrom('tenants').select('id').where('pool_id', '=', pool_id)
  return (await row.executeTakeFirstOrThrow()).id
}

/** A visitor who has entered an address of one of the companies, on the first screen. */
export async function arriveAtCognito(
  site: Site,
  email: string,
  query = '',
  more: Record<string, string> = {},
) {
  const visitor = await site.visitor()
  const page = await visitor.follow(await visitor.submit(`/login${query}`, { email, ...more }))
  return { visitor, page, ...hands(visitor) }
}

/** An unknown person at the company's own sign-in address. */
export async function strangerAtCognito(site: Site, pool: 'local' | 'wire') {
  const visitor = await site.visitor()
  const page = await visitor.follow(await visitor.visit(`/auth/start/${pool}`))
  return { visitor, page, ...hands(visitor) }
}
