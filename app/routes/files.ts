/** A logo or another file for a page: authorized by the session's cookie instead of a token. */

import type { LoaderFunctionArgs } from '@remix-run/node'
import { getFile } from '#app/api/contract/files.ts'
import { requireVisitor } from './guards.server.ts'

const ABOUT_THE_FILE = [
  'content-type',
  'content-length',
  'content-range',
  'accept-ranges',
  'content-disposition',
  'cache-control',
  'content-security-policy',
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireVisitor(args)
  const { tenantId, fileId } = args.params
  const range = args.request.headers.get('range')
  const answer = await api(getFile, { tenantId, fileId }, range ? { range } : {})
  const headers = ABOUT_THE_FILE.flatMap((name): [string, string][] => {
    const value = answer.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return new Response(answer.body, { status: answer.status, headers })
}
