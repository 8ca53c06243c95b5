/** API keys: creating, listing, revoking. Their secrets are stored only as digests. */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { nameOrEmailOf } from '#app/domain/text/full-name.server.ts'
import { record } from '../audit/audit.server.ts'
import { conflict, invalid, notFound, Refusal } from '../errors.ts'
import { offsetOf, paginate } from '../page.ts'
import { takeTurns } from '../scope/advisory-lock.server.ts'
import { type Scope, tenantWide } from '../scope/scope.server.ts'
import { OUTSIDER } from '../text/learner-name.server.ts'
import type { ApiKey, ApiKeyInput, NewApiKey } from './api-key.ts'

/** Lets people and secret scanners recognize a key. */
const PREFIX = 'lw_'
const SECRET = /^lw_[0-9a-f]{64}$/
const MAX_LIVING = 50
const MADE_AGAIN_WITHIN = sql`interval '10 minutes'`

export const isApiKeySecret = (token: string): boolean => token.startsWith(PREFIX)
export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest()

export const hashOfSecret = (token: string): Buffer | null => (SECRET.test(token) ? secretHash(token) : null)

type Query = { page: number; per_page: number }

export async function listApiKeys(scope: Scope, query: Query) {
  const { total } = await scope.db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const data = await readKeys(scope, sql`true`, query.per_page, offsetOf(query))
  return { data, pagination: paginate(Number(total), query) }
}

export async function getApiKey(scope: Scope, id: number): Promise<ApiKey> {
  const [key] = await readKeys(scope, sql`k.id = ${id}`)
  if (!key) throw notFound()
  return key
}

export async function createApiKey(scope: Scope, input: ApiKeyInput): Promise<NewApiKey> {
  const { actor, db } = scope
  if (actor.user_id === null) throw new Error('Only people make keys.')
  const { request_id, expires_in_days, ...given } = input
  const sub_tenant_id = await settleSubTenant(scope, given.sub_tenant_id?.toLowerCase())
  const secret = `${PREFIX}${randomBytes(32).toString('hex')}`
  const kept = { secret_hash: secretHash(secret), secret_start: secret.slice(0, 8) }
  const key = { ...given, sub_tenant_id }
  const request_hash = request_id ? secretHash(JSON.stringify([request_id, key, expires_in_days])) : null
  const made = await db
    .insertInto('api_keys')
    .values({
      ...{ ...key, ...kept, request_hash },
      tenant_id: actor.tenant_id,
      user_id: actor.user_id,
      expires_on: sql<Date>`now() + make_interval(days => ${expires_in_days}::int)`,
    })
    .onConflict((clash) => clash.columns(['tenant_id', 'user_id', 'request_hash']).doNothing())
    .returning('id')
    .executeTakeFirst()
  const id = made?.id ?? (await renewSecret(scope, request_hash, kept))
  const subject = { type: 'api_key', id, name: key.name }
  if (made) await requireRoom(scope)
  if (made) await record(scope, 'api_key.created', subject, { ...key, expires_in_days })
  else await record(scope, 'api_key.secret_renewed', subject)
  return { ...(await getApiKey(scope, id)), secret }
}

/** Idempotent: revoking a second time changes nothing. */
export async function revokeApiKey(scope: Scope, id: number): Promise<ApiKey> {
  const key = await getApiKey(scope, id)
  const revoked = await scope.db
    .updateTable('api_keys')
    .set({ revoked_on: sql<Date>`now()` })
    .where('id', '=', id)
    .where('revoked_on', 'is', null)
    .executeTakeFirst()
  if (revoked.numUpdatedRows > 0n)
    await record(scope, 'api_key.revoked', { type: 'api_key', id, name: key.name })
  return getApiKey(scope, id)
}

async function settleSubTenant({ db, actor }: Scope, wanted: string | undefined): Promise<string | null> {
  if (!wanted || wanted === actor.sub_tenant_id) return actor.sub_tenant_id
  const found = await db
    .selectFrom('sub_tenants')
    .select('id')
    .where('tenant_id', '=', actor.tenant_id)
    .where('id', '=', wanted)
    .where('status', '=', 'active')
    .where('deleted_on', 'is', null)
    .executeTakeFirst()
  if (!found || actor.sub_tenant_id !== null)
    throw invalid({ sub_tenant_id: ['There is no such sub-tenant'] })
  return found.id
}

async function requireRoom(scope: Scope): Promise<void> {
  await takeTurns(scope, 'api keys')
  const living = await tenantWide(scope, ({ db }) =>
    db
      .selectFrom('api_keys')
      .select('id')
      .where('revoked_on', 'is', null)
      .where('expires_on', '>', sql<Date>`now()`)
      .limit(MAX_LIVING + 1)
      .execute(),
  )
  if (living.length > MAX_LIVING)
    throw conflict('name', `A company has at most ${MAX_LIVING} keys. Revoke one that is not needed.`)
}

/** A repeated submit: the sender sees only the second answer, so the secret in that one has to work. */
async function renewSecret(
  { db, actor }: Scope,
  request_hash: Buffer | null,
  kept: { secret_hash: Buffer; secret_start: string },
): Promise<number> {
  const renewed = await db
    .updateTable('api_keys')
    .set(kept)
    .where('user_id', '=', actor.user_id)
    .where('request_hash', '=', request_hash)
    .where('revoked_on', 'is', null)
    .where('last_used_on', 'is', null)
    .where('created_on', '>', sql<Date>`now() - ${MADE_AGAIN_WITHIN}`)
    .returning('id')
    .executeTakeFirst()
  if (!renewed) throw new Refusal(409, 'This key was created already. Its secret is shown only once.')
  return renewed.id
}

/** Reads tenant-wide: the maker's roles for the whole company count too, and are not visible inside a sub-tenant. */
const readKeys = (scope: Scope, which: ReturnType<typeof sql>, limit = 1, offset = 0): Promise<ApiKey[]> =>
  tenantWide(scope, async ({ db }) => {
    const { sub_tenant_id: subTenantId, tenant_id } = scope.actor
    const isHere = subTenantId === null ? sql`true` : sql`k.sub_tenant_id = ${subTenantId}`
    // Inside a sub-tenant, people without a role in it are not named.
    const isSeen = sql`(${subTenantId}::uuid is null or exists (select from user_general_roles r
      where r.tenant_id = k.tenant_id and r.user_id = k.user_id and r.sub_tenant_id = ${subTenantId}::uuid))`
    const { rows } = await sql<Row>`
    select k.id, k.name, k.role, k.is_read_only, k.sub_tenant_id, s.name as sub_tenant, k.secret_start,
      case when k.revoked_on is not null then 'revoked' when k.expires_on <= now() then 'expired'
        when u.activation_status = 'disabled' or u.is_super_admin or not exists (
          select from user_general_roles r where r.tenant_id = k.tenant_id and r.user_id = k.user_id
            and r.role = 'admin' and (r.sub_tenant_id is null or r.sub_tenant_id = k.sub_tenant_id))
          then 'without_maker' else 'active' end as state,
      k.user_id, case when ${isSeen} then ${nameOrEmailOf('u')} else ${OUTSIDER} end as maker,
      k.created_on, k.expires_on, k.last_used_on
    from api_keys k left join users u on u.tenant_id = k.tenant_id and u.id = k.user_id
      left join sub_tenants s on s.tenant_id = k.tenant_id and s.id = k.sub_tenant_id
    where k.tenant_id = ${tenant_id} and ${isHere} and ${which}
    order by k.id desc limit ${limit} offset ${offset}`.execute(db)
    return rows.map(({ user_id, maker, created_on, expires_on, last_used_on, ...row }) => ({
      ...row,
      made_by: { id: user_id, name: maker ?? `Person ${user_id}` },
      created_on: created_on.toISOString(),
      expires_on: expires_on.toISOString(),
      last_used_on: last_used_on?.toISOString() ?? null,
    }))
  })

type Row = Omit<ApiKey, 'made_by' | 'created_on' | 'expires_on' | 'last_used_on'> & {
  user_id: number
  maker: string | null
  created_on: Date
  expires_on: Date
  last_used_on: Date | null
}
