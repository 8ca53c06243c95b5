/** How this client proves who it is to a token endpoint. */
import { askOutside, type OutsideAnswer } from '#app/auth/outside.server.ts'
import { clientSecretOf, type Pool } from './pools.server.ts'

/** The form to post: with the secret in a header or in the body, as the provider expects, or without one. */
export function authenticated(pool: Pool, form: Record<string, string>) {
  const { client_id, settings } = pool
  const secret = clientSecretOf(pool)
  const inBody = settings.token_auth_method === 'client_secret_post'
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(form)
  if (secret === null || inBody) body.set('client_id', client_id)
  if (secret !== null && inBody) body.set('client_secret', secret)
  if (secret !== null && !inBody)
    headers.authorization = `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`
  return { method: 'POST' as const, headers, body: body.toString() }
}

/** Generous, because asking uses up the code: a slow answer is better than none. */
const PATIENCE_MS = 10_000

/** Follows no redirects: one could send a token anywhere. */
export const askAuthenticated = (
  pool: Pool,
  endpoint: string,
  form: Record<string, string>,
): Promise<OutsideAnswer> => askOutside(endpoint, { ...authenticated(pool, form), patienceMs: PATIENCE_MS })
