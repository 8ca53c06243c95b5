/** A logo or another file, for the pictures of a page: the session's cookie in place of a token. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { address } from './address.ts'
import { requireVisitor } from './guards.server.ts'

const ABOUT_THE_FILE = ['content-type', 'content-length', 'content-disposition', 'cache-control']

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireVisitor(args)
  const { tenantId, fileId } = args.params
  const answer = await api.getRaw(address`/files/${tenantId}/${fileId}`)
  const headers = ABOUT_THE_FILE.map((name): [string, string] => [name, answer.headers.get(name) ?? ''])
  return new Response(answer.body, { headers })
}
