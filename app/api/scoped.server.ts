/** From a bearer token and the three tenant headers to one transaction in one scope. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import { sql } from 'kysely'
import { shouldEnterSubTenant, toActor } from '#app/auth/actor.server.ts'
import { verifyBearer } from '#app/auth/bearer.server.ts'
import { isLetIn, type Principal, UnauthorizedError } from '#app/auth/principal.ts'
import { lacksSecondFactor, SECOND_FACTOR_FIRST } from '#app/auth/second-factor.server.ts'
import { forbidden, Refusal } from '#app/domain/errors.ts'
import { inScope, type Scope } from '#app/domain/scope.server.ts'
import { askAtDoor } from './doors.server.ts'
import { type ApiEnv, Unreadable } from './env.server.ts'
import { answerOnce } from './idempotency.server.ts'

/** What a person may do before accepting the terms, or setting up a second factor: just that. */
const BEFORE_TERMS = /^\/api\/v1\/(users\/me$|users\/me\/|tenants\/(me|timezones)$|files\/)/

/** What a person of several sub-tenants may do before choosing one: look after themselves. No other data is in a scope wider than theirs. */
const BEFORE_SUB_TENANT =
  /^\/api\/v1\/(users\/me(\/|$)|tenants\/(me$|timezones$|tenant\/sub_tenants\/data$)|files\/)/

export const authenticate = createMiddleware<ApiEnv>(async (c, next) => {
  const token = /^Bearer (\S+)$/.exec(c.req.header('authorization') ?? '')?.[1]
  if (!token) throw new UnauthorizedError('No bearer token was sent.')

  const known = c.env?.caller
  const principal: Principal =
    known?.token === token ? known.principal : await verifyBearer(c.var.database, token)
  if (!isLetIn(principal)) throw new UnauthorizedError('The account or its tenant is not active.')
  if (!principal.accepted_terms_on && !BEFORE_TERMS.test(c.req.path))
    throw forbidden('Accept the terms and conditions first.')

  const { user_id, tenant_id } = principal
  c.env?.found?.set('who', { user_id, tenant_id })
  const actor = toActor(principal, tenantHeaders(c.req))
  const isOwn = BEFORE_SUB_TENANT.test(c.req.path) || c.req.path === `/api/v1/users/${user_id}/data_export`
  if (shouldEnterSubTenant(principal, actor.sub_tenant_id) && !isOwn)
    throw forbidden('Choose a sub-tenant first.')
  const hasFactor = known?.token === token && known.has_second_factor
  if (
    !hasFactor &&
    !isOwn &&
    !BEFORE_TERMS.test(c.req.path) &&
    (await lacksSecondFactor(principal, c.var.database))
  )
    throw forbidden(SECOND_FACTOR_FIRST)
  c.set('principal', principal)
  c.set('actor', actor)
  await next()
})

/** Runs the call in one transaction; a refused or failed call leaves nothing behind. */
export const scoped = createMiddleware<ApiEnv>(async (c, next) => {
  await inScope(c.var.database, c.var.actor, async (scope) => {
    await requireLivingScope(scope)
    c.set('scope', scope)
    await answerOnce(c, scope, next)
    // Hono catches what a handler throws before next() returns; without this the refused call would commit.
    if (!c.error) return
    if (isUnreadable(c.error)) await requireOpenDoor(c, scope)
    throw c.error
  })
})

/** Also text that is no JSON at all. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof Unreadable || (error instanceof HTTPException && error.status === 400)

async function requireOpenDoor(c: Context<ApiEnv>, scope: Scope): Promise<void> {
  const path = routePath(c)
    .replace('/api/v1', '')
    .replace(/:(\w+)/g, '{$1}')
  await askAtDoor(scope, `${c.req.method} ${path}`, c.req.param())
}

function tenantHeaders(req: { header(name: string): string | undefined }) {
  const entries = {
    tenant_id: req.header('x-tenant-id'),
    impersonate_tenant_id: req.header('x-impersonate-tenant-id'),
    sub_tenant_id: req.header('x-sub-tenant-id'),
  }
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value)) as {
    [Name in keyof typeof entries]?: string
  }
}

/** The impersonated tenant and the selected sub-tenant must exist and be active. */
async function requireLivingScope({ actor, db }: Scope): Promise<void> {
  if (actor.is_impersonating) {
    const tenant = await db
      .selectFrom('tenants')
      .select('id')
      .where('id', '=', actor.tenant_id)
      .where('status', '=', 'active')
      .where('deleted_on', 'is', null)
      .executeTakeFirst()
    if (!tenant) throw forbidden('This tenant cannot be entered.')
  }
  if (actor.sub_tenant_id) {
    // Whoever looks after all companies sees the parts of each: this one must be of the company they are in.
    const found = await sql`select from sub_tenants where tenant_id = ${actor.tenant_id}
      and id = ${actor.sub_tenant_id} and status = 'active' and deleted_on is null`.execute(db)
    if (found.rows.length === 0) throw forbidden('This sub-tenant cannot be entered.')
  }
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
