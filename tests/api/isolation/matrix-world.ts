/** Two companies with one object of each kind in every place, and an API whose calls leave no trace. */
import { randomUUID } from 'node:crypto'
import type { AccessMode, Transaction } from 'kysely'
import { createApi } from '#app/api/app.server.ts'
import { limitKeys } from '#app/api/key-rates.server.ts'
import type { Principal } from '#app/auth/principal.ts'
import type { DB } from '#app/db/schema.ts'
import { type Database, inScope, operatorActor, systemActor } from '#app/domain/scope/scope.server.ts'
import { createWorld } from '#tests/api/tenants/tenants-world.ts'
import type { Named } from './matrix-headers.ts'
import type { Holder, Spot, Thing } from './matrix-holders.ts'
import { createHolders } from './matrix-holders-world.ts'
import { makeKeyOf, makeKeys } from './matrix-keys-world.ts'
import { CANARIES, type Where, type Who } from './matrix-people.ts'
import type { Ids, Kind, Row } from './matrix-policy.ts'
import { furnish, notifyOne, type Place } from './matrix-things.ts'

type World = Awaited<ReturnType<typeof createWorld>>

export type MatrixWorld = Awaited<ReturnType<typeof createMatrixWorld>>

/** Replaces the input of the policy: `unknown fields` are fields that no call has. */
export type Sent = 'as the policy says' | 'unknown fields' | 'no JSON' | { body: string }

/** `around` sees the transaction of each call: before it begins, and before it is undone. */
export async function createMatrixWorld(database: Database, around?: Around) {
  const world = await createWorld(database)
  const { acme, globex, north, south, people } = world
  const east = await addSubTenant(database, globex, `East ${CANARIES.foreign}`)
  const west = await addSubTenant(database, acme, 'Acme West')
  const inactive = await addInactiveTenant(database, world)
  const places: Record<'own' | 'sibling' | 'foreign', Place> = {
    own: { who: 'adam', tenant: acme, sub: north, author: people.aya.user_id, canary: CANARIES.own },
    sibling: { who: 'adam', tenant: acme, sub: south, author: people.adam.user_id, canary: CANARIES.sibling },
    foreign: {
      who: 'greta',
      tenant: globex,
      sub: east,
      author: people.greta.user_id,
      canary: CANARIES.foreign,
    },
  }
  const furnishWithKey = async (place: Place) => ({
    ...(await furnish(world, database, place)),
    api_key: await makeKeyOf(world, place),
  })
  const furnished = {
    own: await furnishWithKey(places.own),
    sibling: await furnishWithKey(places.sibling),
    foreign: await furnishWithKey(places.foreign),
  }
  const objects: Record<Where, Ids> = { ...furnished, missing: MISSING }
  objects.own.notification = await notifyOne(database, acme, people.uri.user_id, CANARIES.own)
  const learner = await personOf(database, people.uri, furnished.own.learner, north)
  const sponsor = await personOf(database, people.uri, furnished.own.sponsor, null)
  const chooser = {
    ...people.both,
    roles: people.both.roles.map((role) =>
      role.sub_tenant_id === south ? { ...role, sub_tenant_id: west } : role,
    ),
  }
  const secrets = await makeKeys(world, database)
  const api = createApi({
    database: () => rollingBack(database, around),
    rates: limitKeys(Number.MAX_SAFE_INTEGER),
  })
  const principals: Record<Exclude<Who, 'anonymous'>, Principal> = {
    disabled: { ...people.uri, activation_status: 'disabled' },
    inactive_admin: { ...people.adam, tenant_id: inactive, tenant_status: 'inactive' },
    newcomer: people.newcomer,
    user: people.uri,
    learner,
    sponsor,
    author: people.aya,
    admin: people.adam,
    admin_inside: people.adam,
    sub_admin: people.nora,
    chooser,
    chooser_inside: chooser,
    foreign_admin: people.greta,
    super_home: people.sofia,
    super_inside: people.sofia,
    super_part: people.sofia,
    key_admin: people.adam,
    key_reader: people.adam,
    key_author: people.adam,
    key_inside: people.adam,
    key_part: people.nora,
    key_foreign: people.greta,
    key_revoked: people.adam,
    key_orphaned: people.adam,
  }
  const inside: readonly Who[] = ['admin_inside', 'chooser_inside', 'super_part', 'key_inside']
  const tenants: Record<string, string> = { home: world.home, inactive }

  /** The caller's usual headers, with those that the case adds or replaces. */
  function headersOf(who: Who, principal: Principal | null, named: Named): Headers {
    const usual: Named = {
      ...(principal && { tenant: principal.tenant_id }),
      ...(who.startsWith('super_') && who !== 'super_home' && { impersonate: 'own' }),
      ...(inside.includes(who) && { sub: 'own' }),
    }
    const headers = new Headers(principal ? { authorization: `Bearer ${secrets.get(who) ?? who}` } : {})
    for (const [name, value] of Object.entries({ ...usual, ...named }))
      if (value !== 'none') headers.set(HEADERS[name as keyof Named], idOfPlace(name, value))
    return headers
  }
  const idOfPlace = (name: string, value: string): string =>
    objects[value as Where]?.[name === 'sub' ? 'sub_tenant' : 'tenant'] ?? tenants[value] ?? value

  /** Makes one call, and rolls it back. */
  async function ask(
    call: string,
    row: Row,
    who: Who,
    where: Where,
    more: { named?: Named; sent?: Sent } = {},
  ) {
    const principal = who === 'anonymous' ? null : principals[who]
    const headers = headersOf(who, principal, more.named ?? {})
    const token = secrets.has(who) ? null : who
    return send(call, row, { principal, headers, token }, objects[where], more.sent)
  }

  async function send(
    call: string,
    row: Row,
    { principal, headers, token }: Asker,
    ids: Ids,
    sent: Sent = 'as the policy says',
  ) {
    const [method = '', path = ''] = call.split(' ')
    const self = String(principal?.user_id ?? people.uri.user_id)
    const filled = fill(path, row.kind, ids, self)
    const { query, body } = inputOf(call, row, sent, headers, ids)
    const request = new Request(`http://api.test/api/v1${filled}${query}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    })
    const response = await api.fetch(request, principal && token ? { caller: { token, principal } } : {})
    return { status: response.status, text: await response.text(), path: filled }
  }

  const holders = await createHolders(world, database)
  /** The same for a person with several roles and ties; `more`: ids in the path other than those of the journey. */
  const askAs = (call: string, row: Row, holder: Holder, of: Thing | Spot, more: Partial<Ids> = {}) => {
    const principal = holders.principalOf(holder)
    const secret = holders.secretOf(holder)
    const headers = new Headers({ authorization: `Bearer ${secret ?? 'holder'}`, 'x-tenant-id': acme })
    if (holder.selected) headers.set('x-sub-tenant-id', holders.parts[holder.selected])
    const ids = typeof of === 'string' ? objects[of] : holders.idsOf(of)
    return send(call, row, { principal, headers, token: secret ? null : 'holder' }, { ...ids, ...more })
  }
  const userOf = (holder: Holder) => String(holders.principalOf(holder).user_id)
  return { ...world, east, west, principals, objects, ask, askAs, userOf }
}

/** `token` is null if the bearer token is a secret that the API looks up itself. */
type Asker = { principal: Principal | null; headers: Headers; token: string | null }

const HEADERS = {
  tenant: 'x-tenant-id',
  impersonate: 'x-impersonate-tenant-id',
  sub: 'x-sub-tenant-id',
} as const

/** Every query parameter, each with a value that no call accepts. */
const WRONG_QUERY = `?${[
  ...['page', 'limit', 'per_page', 'user_id', 'journey', 'lift', 'user', 'successor_id'],
  ...['as_of', 'from', 'order_by', 'order', 'role', 'status', 'include_sub_tenants', 'withdrawn'],
  ...['lock_version', 'version'],
]
  .map((name) => `${name}=!`)
  .join('&')}&q=${'x'.repeat(300)}`

function inputOf(call: string, row: Row, sent: Sent, headers: Headers, ids: Ids) {
  const query = QUERIES[call] ?? ''
  if (sent === 'as the policy says') return { query, body: bodyOf(row, headers, ids) }
  if (/^(GET|DELETE)/.test(call)) return { query: WRONG_QUERY, body: undefined }
  if (row.form) {
    const form = new FormData()
    form.set('file', 'no file')
    return { query, body: form }
  }
  headers.set('content-type', 'application/json')
  if (typeof sent === 'object') return { query, body: sent.body }
  return { query, body: sent === 'no JSON' ? '{"' : '{"no_such_field":1}' }
}

const QUERIES: Record<string, string> = {
  'GET /users/pool': '?email=a@b.example',
  'GET /lljs': '?per_page=100',
}

function bodyOf({ body, form }: Row, headers: Headers, ids: Ids): string | FormData | undefined {
  if (form) {
    const data = new FormData()
    for (const [name, value] of Object.entries(form)) data.set(name, value)
    return data
  }
  if (body) headers.set('content-type', 'application/json')
  return body && JSON.stringify(typeof body === 'function' ? body(ids) : body)
}

/** Fills a path with the ids of a place; the parents of the object are in the same place. */
function fill(path: string, kind: Kind, ids: Ids, self: string): string {
  const named: Record<string, string> = {
    tenantId: ids.tenant,
    fileId: ids.file,
    subId: ids.sub_tenant,
    memberId: ids.member,
    userId: ids.user,
    kind: 'lift',
    id: idOf(kind, ids, self),
  }
  return path.replace(/\{(\w+)\}/g, (_, name: string) => named[name] ?? '')
}

function idOf(kind: Kind, ids: Ids, self: string): string {
  if (kind === 'sub_tenant') return ids.tenant
  if (kind === 'member') return ids.journey
  return kind === 'self' || kind === 'none' ? self : ids[kind]
}

const NO_NUMBER = '987654321'
const MISSING: Ids = {
  tenant: randomUUID(),
  sub_tenant: randomUUID(),
  import: randomUUID(),
  export: randomUUID(),
  file: randomUUID(),
  session: randomUUID(),
  user: NO_NUMBER,
  journey: NO_NUMBER,
  lift: NO_NUMBER,
  prompt: NO_NUMBER,
  objective: NO_NUMBER,
  assessment: NO_NUMBER,
  member: NO_NUMBER,
  notification: NO_NUMBER,
  api_key: NO_NUMBER,
  user_group: NO_NUMBER,
}

const addSubTenant = (database: Database, tenant_id: string, name: string) =>
  inScope(database, systemActor(tenant_id), async ({ db }) => {
    const part = { tenant_id, name }
    return (await db.insertInto('sub_tenants').values(part).returning('id').executeTakeFirstOrThrow()).id
  })

const addInactiveTenant = (database: Database, { pool_id }: World) =>
  inScope(database, operatorActor(), async ({ db }) => {
    const tenant = { name: 'Initech', status: 'inactive', pool_id }
    return (await db.insertInto('tenants').values(tenant).returning('id').executeTakeFirstOrThrow()).id
  })

/** The principal of a person who was added to a place. */
const personOf = (database: Database, like: Principal, user_id: number, sub_tenant_id: string | null) =>
  inScope(database, systemActor(like.tenant_id), async ({ db }): Promise<Principal> => {
    const columns = { accepted_terms_on: new Date(), activation_status: 'active' } as const
    const { email } = await db
      .updateTable('users')
      .set(columns)
      .where('id', '=', user_id)
      .returning('email')
      .executeTakeFirstOrThrow()
    const role = { role: 'user' as const, tenant_id: like.tenant_id, sub_tenant_id }
    return { ...like, ...columns, user_id, email, roles: [role] }
  })

type Around = Record<'before' | 'after', (db: Transaction<DB>) => Promise<void>>
const ROLLBACK = new Error('rolled back on purpose')

/** The same database, but every transaction is rolled back after its work. */
function rollingBack(database: Database, around?: Around): Database {
  const transaction = (mode?: AccessMode) => ({
    setAccessMode: transaction,
    async execute<Result>(work: (db: never) => Promise<Result>): Promise<Result> {
      let result: Result | undefined
      const begin = database.transaction()
      await (mode ? begin.setAccessMode(mode) : begin)
        .execute(async (db) => {
          await around?.before(db)
          result = await work(db as never)
          await around?.after(db)
          throw ROLLBACK
        })
        .catch((error) => {
          if (error !== ROLLBACK) throw error
        })
      return result as Result
    },
  })
  return new Proxy(database, {
    get(target, name) {
      if (name === 'transaction') return () => transaction()
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
