/** Finds the call for a URL below /api/v1. */
import type { Call } from './call.ts'
import { CALLS } from './calls.ts'

const matchers = CALLS.map((call) => ({
  call,
  pattern: new RegExp(`^${call.path.replace(/\{\w+\}/g, '[^/]+')}$`),
}))

export const findCall = (method: string, path: string): Call | undefined =>
  matchers.find(({ call, pattern }) => call.method === method && pattern.test(path))?.call
