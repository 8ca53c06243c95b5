/** What a request to the API brings along. */
import type { Principal } from '#app/auth/principal.ts'
import type { Caller } from './serve.server.ts'

export type ApiEnv = {
  Bindings: {
    /** Whose token this is, where that has been found out before. */
    caller?: { token: string; principal: Principal }
    ip?: string
    request_id?: string
    /** What the request has found out; `who` goes into its log line. */
    found?: Map<string, unknown>
  }
  Variables: {
    caller: Caller
    /** Of the key that calls. */
    rate?: { limit: number; remaining: number; reset: number }
  }
}
