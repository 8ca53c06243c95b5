/** What a request to the API carries through Hono. */
import type { Principal } from '#app/auth/principal.ts'
import type { Caller } from './serve.server.ts'

export type ApiEnv = {
  Bindings: {
    caller?: { token: string; principal: Principal }
    ip?: string
    request_id?: string
    found?: Map<string, unknown>
  }
  Variables: {
    caller: Caller
    rate?: { limit: number; remaining: number; reset: number }
  }
}
