/** Finds the caller from the bearer token and the three tenant headers. */
import type { HonoRequest } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type TenantHeaders, toActor } from '#app/auth/actor.server.ts'
import { KEY_REFUSED, type KeyInUse, readApiKey } from '#app/auth/api-keys.server.ts'
import { verifyBearer } from '#app/auth/bearer.server.ts'
import { isLetIn, type Principal, UnauthorizedError } from '#app/auth/principal.ts'
import { isApiKeySecret } from '#app/domain/api-keys/api-keys.server.ts'
import { Refusal } from '#app/domain/errors.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import type { Limiter } from '#app/integrations/rate.server.ts'
import type { ApiEnv } from './env.server.ts'
import { takeOne } from './key-rates.server.ts'
import type { Caller } from './serve.server.ts'

/** A caller whose request took so long to arrive is asked for again: they may have been let out meanwhile. */
const LONG_MS = 1000

export const authenticate = (database: () => Database, rates: Limiter) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    const token = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (!token) throw new UnauthorizedError('No bearer token was sent.')
    const given = c.env?.caller
    const known: Known = given?.token === token ? given : await whoseToken(database(), token)
    const find = ({ principal, key }: Known) => toCaller(principal, token, tenantHeaders(c.req), key)
    if (known.key) await takeOne(c, rates, known.key.id)
    let caller = find(known)
    if ((await waitForBody(c.req)) > LONG_MS) caller = find(await whoseToken(database(), token))
    const { user_id, tenant_id } = caller.principal
    c.env?.found?.set('who', { user_id, tenant_id })
    c.set('caller', { ...caller, ip: c.env?.ip })
    await next()
  })

const tenantHeaders = (req: HonoRequest): TenantHeaders => ({
  tenant_id: req.header('x-tenant-id') || undefined,
  impersonate_tenant_id: req.header('x-impersonate-tenant-id') || undefined,
  sub_tenant_id: req.header('x-sub-tenant-id') || undefined,
})

/** Before a transaction begins, which a slow sender would hold for a minute. A failure is told when the body is read. */
async function waitForBody(req: HonoRequest): Promise<number> {
  const began = performance.now()
  if (req.raw.body) await req.arrayBuffer().catch(() => {})
  return performance.now() - began
}

type Known = { principal: Principal; key?: KeyInUse }

const whoseToken = async (database: Database, token: string): Promise<Known> =>
  isApiKeySecret(token) ? readApiKey(database, token) : { principal: await verifyBearer(database, token) }

/** Throws for users who are not allowed in at all, or who name a tenant or sub-tenant that is not theirs. */
export function toCaller(
  principal: Principal,
  token: string,
  headers: TenantHeaders,
  key?: KeyInUse,
): Caller {
  if (!isLetIn(principal))
    throw new UnauthorizedError('The account or its tenant is not active.', key && KEY_REFUSED)
  const actor = toActor(principal, headers)
  if (!key) return { principal, token, actor }
  const { id, name } = key
  return { principal, token, actor: { ...actor, api_key: { id, name } }, key }
}

/** A body that is neither JSON nor form data is refused before anything reads it. */
export const requireJson = createMiddleware(async (c, next) => {
  const type = c.req.header('content-type') ?? ''
  const hasBody = Boolean(type) || Number(c.req.header('content-length') ?? 0) > 0
  if (
    ['POST', 'PUT', 'PATCH'].includes(c.req.method) &&
    hasBody &&
    !/^(application\/json|multipart\/form-data)\b/i.test(type)
  )
    throw new Refusal(415, 'Send JSON.')
  await next()
})
