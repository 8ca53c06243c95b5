/** The Remix load context: what `server.ts` gives every loader and action of one request. */
import type { IdentityPort } from '#app/auth/identity-port.ts'

declare module '@remix-run/node' {
  interface AppLoadContext {
    nonce: string
    request_id: string
    ip: string
    /** Results shared within this request; parallel loaders each get their own copy of the Request. */
    found: Map<string, unknown>
    /** Whether our own script asked and renders the answer; otherwise a browser shows it directly. */
    is_for_script: boolean
    identity: IdentityPort
  }
}
