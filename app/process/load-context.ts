/** What server.ts hands every loader and action of one request. */
import type { IdentityPort } from '#app/auth/identity-port.ts'

declare module '@remix-run/node' {
  interface AppLoadContext {
    nonce: string
    request_id: string
    ip: string
    /** What this request has found out; parallel loaders each get their own copy of the Request. */
    found: Map<string, unknown>
    /** Asked for by our own script, which draws the answer; else by a browser, which shows it. */
    is_for_script: boolean
    identity: IdentityPort
  }
}
