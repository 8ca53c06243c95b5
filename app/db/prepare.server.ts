/** Creates Liftwell's roles and database, once, as a superuser. Everything after that is done by those roles. */
import { createHmac } from 'node:crypto'
import type pg from 'pg'
import { createClient } from './client.server.ts'
import { WAITING, WEB_STATEMENT_MS, WORKER_STATEMENT_MS } from './timeouts.ts'
import { withTarget } from './url.ts'

const LOGIN_ROLES = ['owner', 'app', 'worker', 'identity'] as const
export type LoginRole = (typeof LOGIN_ROLES)[number]
export type Passwords = Record<LoginRole, string>

export type PreparedUrls = {
  ownerUrl: string
  appUrl: string
  workerUrl: string
  identityUrl: string
}

const LIMITS: Record<LoginRole, Record<string, number>> = {
  owner: {},
  app: { statement_timeout: WEB_STATEMENT_MS, ...WAITING },
  worker: { statement_timeout: WORKER_STATEMENT_MS, ...WAITING },
  identity: { statement_timeout: WEB_STATEMENT_MS, ...WAITING },
}

/** The same secret always derives the same passwords, so only the secret has to be kept. */
export function derivePasswords(secret: string): Passwords {
  const derive = (role: LoginRole) =>
    createHmac('sha256', secret).update(`liftwell_${role}`).digest('base64url')
  return {
    owner: derive('owner'),
    app: derive('app'),
    worker: derive('worker'),
    identity: derive('identity'),
  }
}

type Preparation = {
  database: string
  passwords: Passwords
  /** Whether this server holds nobody else's databases. */
  isOurs?: boolean
}

/** Idempotent: creates what is missing, and sets the passwords to the given ones. */
export async function prepareDatabase(
  adminUrl: string,
  { database, passwords, isOurs = false }: Preparation,
): Promise<PreparedUrls> {
  await withClient(adminUrl, async (client) => {
    // Roles belong to the whole server: two preparations at once would collide in its catalog.
    await client.query(`select pg_advisory_lock(hashtext('liftwell prepare'))`)
    await client.query('begin')
    await prepareRoles(client, passwords)
    await client.query('commit')
    await prepareEmptyDatabase(client, database)
    if (isOurs) await client.query('revoke connect on database postgres, template1 from public')
  })
  await withClient(withTarget(adminUrl, { database }), async (client) => {
    await restrictConnections(client, database)
    await client.query(WITHOUT_LARGE_OBJECTS)
  })
  return urlsOf(adminUrl, { database, passwords })
}

/** Connects as Liftwell's roles. */
export function urlsOf(
  adminUrl: string,
  { database, passwords }: Pick<Preparation, 'database' | 'passwords'>,
): PreparedUrls {
  const urlOf = (role: LoginRole) =>
    withTarget(adminUrl, { user: `liftwell_${role}`, password: passwords[role], database })
  return {
    ownerUrl: urlOf('owner'),
    appUrl: urlOf('app'),
    workerUrl: urlOf('worker'),
    identityUrl: urlOf('identity'),
  }
}

async function prepareRoles(client: pg.Client, passwords: Passwords): Promise<void> {
  const { rows } = await client.query<{ rolname: string }>(
    `select rolname from pg_roles where rolname ^@ 'liftwell_'`,
  )
  const existing = new Set(rows.map((row) => row.rolname))
  if (!existing.has('liftwell_lookup')) await client.query('create role liftwell_lookup nologin')
  for (const role of LOGIN_ROLES) {
    const name = `liftwell_${role}`
    const verb = existing.has(name) ? 'alter' : 'create'
    await client.query(`${verb} role ${name} login password ${client.escapeLiteral(passwords[role])}`)
    for (const [setting, ms] of Object.entries(LIMITS[role]))
      await client.query(`alter role ${name} set ${setting} = '${ms / 1000}s'`)
  }
  // The owner transfers the look-up functions to a role without other rights; the role that creates the database
  // transfers it to the owner.
  await client.query('grant liftwell_lookup to liftwell_owner')
  await client.query(`do $$ begin
    if not (select rolsuper from pg_roles where rolname = current_user) then
      execute format('grant liftwell_owner to %I', current_user);
    end if; end $$`)
}

async function prepareEmptyDatabase(client: pg.Client, database: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
  if (rowCount) return
  const name = client.escapeIdentifier(database)
  await client.query(`create database ${name} owner liftwell_owner encoding 'UTF8' template template0`)
}

/** PostgreSQL lets everyone NOTIFY, but large objects, which row-level security does not cover, can be revoked. */
const WITHOUT_LARGE_OBJECTS = `do $$ begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;
  end if; end $$`

/** Only Liftwell's roles may connect; a copy of a database does not inherit that. */
export async function restrictConnections(client: pg.Client, database: string): Promise<void> {
  const name = client.escapeIdentifier(database)
  await client.query(`revoke all on database ${name} from public`)
  await client.query(`grant connect on database ${name} to liftwell_app, liftwell_worker, liftwell_identity`)
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = createClient(url, { application_name: 'liftwell prepare' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
