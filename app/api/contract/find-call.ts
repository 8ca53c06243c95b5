/** Which call an address below /api/v1 is. */
import type { Call } from './call.ts'
import { CALLS } from './calls.ts'

const matchers = CALLS.map((call) => ({
  call,
  pattern: new RegExp(`^${call.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/** The ids are decoded, and not looked at. */
export function findCall(
  method: string,
  path: string,
): { call: Call; ids: Record<string, string> } | undefined {
  for (const { call, pattern } of matchers) {
    const match = call.method === method ? pattern.exec(path) : null
    if (match) return { call, ids: decoded(match.groups ?? {}) }
  }
  return undefined
}

const decoded = (ids: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, decodeURIComponent(id)]))
