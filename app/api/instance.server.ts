/** The API of this process, for HTTP requests and for screens that call it directly. */
import type { z } from 'zod'
import { getConfig } from '#app/config.server.ts'
import { type Databases, getDatabases } from '#app/db/databases.server.ts'
import { type InScope, shareReads } from '#app/domain/scope/shared-reads.server.ts'
import { createApi } from './app.server.ts'
import { type Asked, carryOut } from './carry-out.server.ts'
import type { AnswerOf, BodyOf, Call, IdsOf } from './contract/call.ts'
import type { ApiEnv } from './env.server.ts'
import type { Done } from './idempotency.server.ts'
import type { Caller } from './serve.server.ts'
import { servedAt } from './served.server.ts'
import { takeTurns } from './turns.server.ts'
import { limitWork } from './work-limits.server.ts'

/** Rate limits and queues belong to the open databases; new databases start with fresh ones. */
let instance: ReturnType<typeof open> | undefined

function open({ app, replica }: Databases) {
  const [limits, turns] = [limitWork(), takeTurns()]
  const api = createApi({ database: () => app, replica, limits, turns })
  return { api, database: app, replica, limits, turns }
}

function getInstance() {
  const databases = getDatabases()
  if (instance?.database !== databases.app) instance = open(databases)
  return instance
}

export async function callApi(request: Request, bindings: ApiEnv['Bindings'] = {}): Promise<Response> {
  return getInstance().api.fetch(request, bindings)
}

export const carryOutHere = (call: Call, asked: Asked, caller: Caller, reads?: InScope): Promise<Done> =>
  carryOut(servedAt(call), asked, caller, { ...getInstance(), reads })

/** Shares one read-only transaction among all reads of a request. */
export function readHere(): InScope {
  let reads: InScope | undefined
  return (actor, work) => {
    reads ??= shareReads(getDatabases().app, 'from home')
    return reads(actor, work)
  }
}

type Given<C extends Call> = { ids: IdsOf<C> } & (C extends { body: z.ZodType }
  ? { body: BodyOf<C> }
  : object)

/** A call that anyone may make, for a screen that asks nobody to sign in. Refusals are thrown as Responses. */
export async function askAsAnyone<C extends Call & { may: 'anyone' }>(
  call: C,
  given: Given<C>,
): Promise<AnswerOf<C>> {
  const answer = await answerAnyone(call, given)
  if (!answer.ok) throw answer
  return (call.answers as z.ZodType).parse(await answer.json()) as AnswerOf<C>
}

async function answerAnyone(call: Call, given: { ids: object; body?: unknown }): Promise<Response> {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given.ids[name as keyof typeof given.ids])),
  )
  const { API_BASE_URL } = getConfig()
  const address = `${(API_BASE_URL ?? 'http://here').replace(/\/$/, '')}/api/v1${path}`
  const sent = given.body !== undefined && {
    body: JSON.stringify(given.body),
    headers: { 'content-type': 'application/json' },
  }
  const request = new Request(address, { method: call.method, redirect: 'error', ...sent })
  return API_BASE_URL ? fetch(request) : callApi(request)
}
