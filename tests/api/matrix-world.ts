/** Two companies with one thing of each kind in every place, and an API in which no call leaves a trace. */
import { randomUUID } from 'node:crypto'
import { createApi } from '#app/api/app.server.ts'
import type { Principal } from '#app/auth/principal.ts'
import { type Database, inScope, systemActor } from '#app/domain/scope.server.ts'
import { CANARIES, type Ids, type Kind, type Row, type Where, type Who } from './matrix-policy.ts'
import { createWorld } from './tenants-world.ts'

type World = Awaited<ReturnType<typeof createWorld>>
type Place = { who: 'adam' | 'greta'; tenant: string; sub: string; author: number; canary: string }

export type MatrixWorld = Awaited<ReturnType<typeof createMatrixWorld>>

export async function createMatrixWorld(database: Database) {
  const world = await createWorld(database)
  const { acme, globex, north, south, people } = world
  const east = await addPart(database, globex)
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
  const objects: Record<Where, Ids> = {
    own: await furnish(world, database, places.own),
    sibling: await furnish(world, database, places.sibling),
    foreign: await furnish(world, database, places.foreign),
    missing: MISSING,
  }
  objects.own.notification = await notifyOne(database, acme, people.uri.user_id, CANARIES.own)
  const api = createApi(() => rollingBack(database))
  const principals: Record<Exclude<Who, 'anonymous'>, Principal> = {
    disabled: { ...people.uri, activation_status: 'disabled' },
    user: people.uri,
    author: people.aya,
    admin: people.adam,
    sub_admin: people.nora,
    foreign_admin: people.greta,
    super_home: people.sofia,
    super_inside: people.sofia,
  }

  function headersOf(who: Who, principal: Principal | null, named: Named): Headers {
    const headers = new Headers()
    if (!principal) return headers
    headers.set('authorization', `Bearer ${who}`)
    headers.set('x-tenant-id', principal.tenant_id)
    if (who === 'super_inside') headers.set('x-impersonate-tenant-id', acme)
    for (const [name, place] of Object.entries(named))
      headers.set(HEADERS[name as keyof Named], objects[place][name === 'sub' ? 'sub_tenant' : 'tenant'])
    return headers
  }

  /** One call, as if it had never been. */
  async function ask(call: string, row: Row, who: Who, where: Where, named: Named = {}) {
    const [method = '', path = ''] = call.split(' ')
    const principal = who === 'anonymous' ? null : principals[who]
    const headers = headersOf(who, principal, named)
    const self = String(principal?.user_id ?? people.uri.user_id)
    const filled = `${fill(path, row.kind, objects[where], self)}${QUERIES[call] ?? ''}`
    const body = bodyOf(row, headers, objects[where])
    const request = new Request(`http://api.test/api/v1${filled}`, { method, headers, ...(body && { body }) })
    const response = await api.fetch(request, principal ? { caller: { token: who, principal } } : {})
    return { status: response.status, text: await response.text(), path: filled }
  }
  return { ...world, ask }
}

/** Headers that name a place, beside those that the caller sends anyhow or in their stead. */
export type Named = { tenant?: Where; impersonate?: Where; sub?: Where }
const HEADERS = {
  tenant: 'x-tenant-id',
  impersonate: 'x-impersonate-tenant-id',
  sub: 'x-sub-tenant-id',
} as const

const QUERIES: Record<string, string> = { 'GET /users/pool': '?email=a@b.example' }

function bodyOf({ body, form }: Row, headers: Headers, ids: Ids): string | FormData | undefined {
  if (form) {
    const data = new FormData()
    for (const [name, value] of Object.entries(form)) data.set(name, value)
    return data
  }
  if (body) headers.set('content-type', 'application/json')
  return body && JSON.stringify(typeof body === 'function' ? body(ids) : body)
}

/** The path with the ids of a place in it; what stands above the object is of the same place. */
function fill(path: string, kind: Kind, ids: Ids, self: string): string {
  const named: Record<string, string> = {
    tenantId: ids.tenant,
    fileId: ids.file,
    subId: ids.sub_tenant,
    memberId: ids.member,
    userId: ids.user,
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
  file: randomUUID(),
  session: randomUUID(),
  user: NO_NUMBER,
  journey: NO_NUMBER,
  lift: NO_NUMBER,
  prompt: NO_NUMBER,
  objective: NO_NUMBER,
  member: NO_NUMBER,
  notification: NO_NUMBER,
}

async function furnish(
  world: World,
  database: Database,
  { who, tenant, sub, author, canary }: Place,
): Promise<Ids> {
  const make = async (path: string, body: object) => {
    const answer = await world.call(who, 'POST', path, body, { sub })
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
    return answer.json
  }
  const person = async (name: string) =>
    make('/users', {
      first_name: canary,
      last_name: name,
      job_title: canary,
      email: `${name}.${canary}@people.example`,
      user_general_roles: [{ role: 'user', sub_tenant_id: sub }],
    })
  const user = await person('invited')
  const learner = await person('learner')
  const journey = await make('/lljs', { name: canary, description: canary })
  const lift = await make(`/lljs/${journey.id}/lifts`, {
    title: canary,
    sms_text: `${canary} {{link}}`,
    status: 'draft',
  })
  const prompt = await make(`/lifts/${lift.id}/prompts`, { kind: 'short_text', text: canary })
  const objective = await make(`/lljs/${journey.id}/learning_objectives`, { code: 'C', text: canary })
  const members = await make(`/lljs/${journey.id}/members`, { user_ids: [learner.id, user.id] })
  return inScope(database, systemActor(tenant), async ({ db }) => {
    await db.updateTable('journeys').set({ author_id: author }).where('id', '=', journey.id).execute()
    await db
      .updateTable('sub_tenants')
      .set({ categories: [canary] })
      .where('id', '=', sub)
      .execute()
    const { id: imported } = await db
      .insertInto('user_imports')
      .values({
        tenant_id: tenant,
        sub_tenant_id: sub,
        file_name: canary,
        dry_run: true,
        send_welcome: false,
        result: canary,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const bytes = Buffer.from(canary)
    const file = await db
      .insertInto('files')
      .values({
        tenant_id: tenant,
        sub_tenant_id: sub,
        kind: 'image',
        content_type: 'image/png',
        file_name: canary,
        size: bytes.length,
        sha256: bytes,
        bytes,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return {
      tenant,
      sub_tenant: sub,
      user: String(user.id),
      journey: String(journey.id),
      lift: String(lift.id),
      prompt: String(prompt.id),
      objective: String(objective.id),
      member: String(members.data[0].id),
      notification: await notifyOne(database, tenant, learner.id, canary),
      import: imported,
      file: file.id,
      session: randomUUID(),
    }
  })
}

const notifyOne = (database: Database, tenant_id: string, user_id: number, canary: string) =>
  inScope(database, systemActor(tenant_id), async ({ db }) => {
    const content = JSON.stringify({ title: canary, message: canary })
    const { id } = await db
      .insertInto('notifications')
      .values({ tenant_id, user_id, notification_type: 'info', content })
      .returning('id')
      .executeTakeFirstOrThrow()
    return String(id)
  })

const addPart = (database: Database, tenant_id: string) =>
  inScope(database, systemActor(tenant_id), async ({ db }) => {
    const part = { tenant_id, name: `East ${CANARIES.foreign}` }
    return (await db.insertInto('sub_tenants').values(part).returning('id').executeTakeFirstOrThrow()).id
  })

const ROLLBACK = new Error('rolled back on purpose')

/** The same database, of which every transaction is undone once its work is done. */
function rollingBack(database: Database): Database {
  const transaction = () => ({
    async execute<Result>(work: (db: never) => Promise<Result>): Promise<Result> {
      let result: Result | undefined
      await database
        .transaction()
        .execute(async (db) => {
          result = await work(db as never)
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
      if (name === 'transaction') return transaction
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
