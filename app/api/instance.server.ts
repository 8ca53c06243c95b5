/** The API of this process. */
import { createApi } from './app.server.ts'
import type { ApiEnv } from './env.server.ts'
import { limitWork } from './work-rates.server.ts'

let api: ReturnType<typeof createApi> | undefined

export async function callApi(request: Request, bindings: ApiEnv['Bindings'] = {}): Promise<Response> {
  api ??= createApi(undefined, limitWork())
  return api.fetch(request, bindings)
}
