/** Carries out one call, for HTTP and for the screens of this process alike: permission, rate, input, idempotency. */
import type { z } from 'zod'
import { shouldEnterSubTenant } from '#app/auth/actor.server.ts'
import { KEY_REFUSED } from '#app/auth/api-keys.server.ts'
import { UnauthorizedError } from '#app/auth/principal.ts'
import { lacksSecondFactor, SECOND_FACTOR_FIRST } from '#app/auth/second-factor.server.ts'
import type { Replica } from '#app/db/replica.server.ts'
import { isAsStored } from '#app/domain/as-stored.ts'
import { forbidden, notFound, Refusal } from '#app/domain/errors.ts'
import { type Database, inScope, inSnapshot, type Scope } from '#app/domain/scope/scope.server.ts'
import { type InScope, shareReads } from '#app/domain/scope/shared-reads.server.ts'
import { inOurWords } from '#app/domain/text/plain-words.ts'
import { mayStillWrite } from '#app/domain/users/beside-erasure.server.ts'
import { isOutage } from '#app/integrations/outage.server.ts'
import { type Call, isRead } from './contract/call.ts'
import { isOpenToKeys } from './contract/may.ts'
import { GUARDS } from './guards.server.ts'
import { answerOnce, type Done } from './idempotency.server.ts'
import { requireLivingScope } from './living-scope.server.ts'
import { type Caller, type Given, RefusedAndKept, type Served } from './serve.server.ts'
import type { Turns } from './turns.server.ts'
import type { WorkLimits } from './work-limits.server.ts'

export type Asked = {
  ids: Record<string, unknown>
  query: Record<string, unknown>
  /** Called only after the guard has passed. */
  readBody(): Promise<unknown>
  range?: string | undefined
  key?: string | undefined
  /** Two requests with the same idempotency key must have the same fingerprint. */
  fingerprint(): Promise<string>
}

type House = {
  database: Database
  limits: WorkLimits | undefined
  turns?: Turns | undefined
  replica?: Replica | undefined
  /** The earlier reads of this request; this call reads in their transaction. */
  reads?: InScope | undefined
}

export async function carryOut(served: Served, asked: Asked, caller: Caller, house: House): Promise<Done> {
  const { call } = served
  const ids = call.ids ? call.ids.safeParse(asked.ids).data : {}
  requireOpenToKey(call, caller)
  const reads = house.reads ?? shareReads(house.database)
  await requireReady(call, ids ?? {}, caller, reads)
  await house.limits?.take(call.perPerson, caller.principal.user_id)
  let sent: unknown
  const guard = async (scope: Scope) => {
    if (!ids) throw notFound()
    return { ids, found: await (GUARDS[call.may] as Guard)(scope, ids) }
  }
  const run = async (scope: Scope, { ids, found }: Awaited<ReturnType<typeof guard>>) => {
    const { query, body } = await readInput(call, asked)
    sent = body
    const given = { scope, caller, database: house.database, ids, query, body, found, range: asked.range }
    return served.run(given as Given<Call>)
  }
  try {
    const isAsked = isRead(call)
    // An earlier read of the same request has found the tenant and sub-tenant active.
    const isKnownToLive = isAsked && house.reads !== undefined
    const work = async (scope: Scope) => {
      if (!isKnownToLive) await requireLivingScope(scope)
      if (!isAsked && !(await mayStillWrite(scope)))
        throw new UnauthorizedError(
          'The person or their key was let out meanwhile.',
          caller.key && KEY_REFUSED,
        )
      return answerOnce(call, asked, scope, async () => run(scope, await guard(scope)))
    }
    const answer = async () => {
      if (!isAsked) return inScope(house.database, caller.actor, work)
      const copy = await replicaOf(call, house)
      if (!copy) return reads(caller.actor, work)
      // The primary database decides about permission. It also answers when the replica fails, or has not caught up
      // yet.
      const allowed = await reads(caller.actor, async (scope) => {
        if (!isKnownToLive) await requireLivingScope(scope)
        return guard(scope)
      })
      return inSnapshot(copy, caller.actor, (scope) =>
        answerOnce(call, asked, scope, () => run(scope, allowed)),
      ).catch((error) => {
        if (isOutage(error)) house.replica?.distrust()
        return reads(caller.actor, work)
      })
    }
    const done = await (house.turns ? house.turns.run(call, asked.query, caller, answer) : answer())
    if (done.value instanceof RefusedAndKept) throw done.value.refusal
    return done
  } catch (error) {
    if (error instanceof Refusal && isAsStored(error.sent ?? sent, error.current))
      return { status: 200, value: error.current }
    throw error
  }
}

type Guard = (scope: Scope, ids: object) => Promise<unknown>

async function replicaOf({ replica }: Call, house: House): Promise<Database | null> {
  if (!replica || !house.replica) return null
  return replica === 'recent' ? house.replica.recent() : house.replica.caughtUp()
}

/** A call that needs no token: without a scope, it touches nothing of any tenant. */
export async function carryOutForAnyone(
  { call, run }: Served,
  asked: Asked,
  database: Database,
): Promise<Done> {
  const ids = call.ids ? call.ids.safeParse(asked.ids).data : {}
  if (!ids) throw notFound()
  const given = { database, ids, ...(await readInput(call, asked)) }
  return { status: call.status ?? 200, value: await run(given as Given<Call>) }
}

/** Refuses calls that are closed to API keys, or to a read-only one, before any of the input is read. */
function requireOpenToKey(call: Call, { key }: Caller): void {
  if (!key) return
  if (!isOpenToKeys(call)) throw forbidden('This call is for people who are signed in, not for API keys.')
  if (key.is_read_only && call.method !== 'GET') throw forbidden('This API key is read-only.')
}

/**
 * Until terms, sub-tenant and second factor are dealt with, only calls about the caller's own account are allowed.
 */
async function requireReady(call: Call, ids: Record<string, unknown>, caller: Caller, reads: InScope) {
  const { principal, actor } = caller
  const isEarly = (when: NonNullable<Call['early']>['terms']) =>
    typeof when === 'function' ? when(ids, principal.user_id) : when === true
  const [beforeTerms, beforeSubTenant] = [isEarly(call.early?.terms), isEarly(call.early?.subTenant)]
  if (!principal.accepted_terms_on && !beforeTerms) throw forbidden('Accept the terms and conditions first.')
  if (shouldEnterSubTenant(principal, actor.sub_tenant_id) && !beforeSubTenant)
    throw forbidden('Choose a sub-tenant first.')
  const hasFactor = caller.has_second_factor || beforeTerms || beforeSubTenant
  if (!hasFactor && (await lacksSecondFactor(caller.key?.maker ?? principal, reads)))
    throw forbidden(SECOND_FACTOR_FIRST)
}

async function readInput(call: Call, asked: Asked): Promise<{ query: unknown; body: unknown }> {
  const query = call.query ? parse(call.query, asked.query) : {}
  const schema = call.body ?? call.form
  return { query, body: schema ? parse(schema, await asked.readBody()) : undefined }
}

function parse(schema: z.ZodType, sent: unknown): unknown {
  const result = schema.safeParse(sent)
  if (result.success) return result.data
  throw new Refusal(422, fieldMessages(inOurWords(result.error.issues, sent)))
}

function fieldMessages(issues: readonly z.core.$ZodIssue[]): Record<string, string[]> {
  // Without a prototype: a field may be called `__proto__`.
  const fields: Record<string, string[]> = Object.create(null)
  const say = (name: string, message: string) => {
    fields[name] = [...(fields[name] ?? []), message]
  }
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) say(key, 'This field is not known.')
    else say(issue.path.join('.') || 'body', issue.message)
  }
  return fields
}
