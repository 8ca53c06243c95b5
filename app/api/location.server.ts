/** The Location header of a POST: where the created thing can be read, if there is a call for that. */
import type { Call } from './contract/call.ts'
import { CALLS } from './contract/calls.ts'

const READ = new Set(
  CALLS.flatMap(({ method, path }) => (method === 'GET' && /^\/(\w+)\/\{id\}$/.exec(path)?.[1]) || []),
)

/** `lljs` of `/lljs`, `lifts` of `/lljs/{id}/lifts`. */
const nounOf = ({ path }: Call): string => path.slice(path.lastIndexOf('/') + 1)

export const hasLocation = (call: Call): boolean => call.status === 201 && READ.has(nounOf(call))

export function locationOf(call: Call, value: unknown): string | undefined {
  if (!hasLocation(call) || typeof value !== 'object' || value === null || !('id' in value)) return
  return `/api/v1/${nounOf(call)}/${value.id}`
}
