/** The API of this process: for requests, and for screens without any. */
import { getDatabases } from '#app/db/databases.server.ts'
import { createApi } from './app.server.ts'
import { type Asked, carryOut } from './carry-out.server.ts'
import type { Call } from './contract/call.ts'
import type { ApiEnv } from './env.server.ts'
import type { Done } from './idempotency.server.ts'
import type { Caller } from './serve.server.ts'
import { servedAt } from './served.server.ts'
import { limitWork } from './work-limits.server.ts'

const limits = limitWork()
let api: ReturnType<typeof createApi> | undefined

export async function callApi(request: Request, bindings: ApiEnv['Bindings'] = {}): Promise<Response> {
  api ??= createApi(undefined, limits)
  return api.fetch(request, bindings)
}

export const carryOutHere = (call: Call, asked: Asked, caller: Caller): Promise<Done> =>
  carryOut(servedAt(call), asked, caller, { database: getDatabases().app, limits })
