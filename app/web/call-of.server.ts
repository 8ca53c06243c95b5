/** Which call of the API a request makes, and so how large and how frequent it may be. */
import type { Request } from 'express'
import type { Call } from '#app/api/contract/call.ts'
import { findCall } from '#app/api/contract/find-call.ts'

const API = '/api/v1'

export function callOf({ method, path }: Pick<Request, 'method' | 'path'>): Call | undefined {
  if (!path.startsWith(`${API}/`)) return undefined
  return findCall(method === 'HEAD' ? 'GET' : method, path.slice(API.length))
}
