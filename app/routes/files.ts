/** A logo or another file, for the pictures of a page: the session's cookie in place of a token. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { requireVisitor } from './guards.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireVisitor(args)
  const { tenantId = '', fileId = '' } = args.params
  return api.getRaw(`/files/${encodeURIComponent(tenantId)}/${encodeURIComponent(fileId)}`)
}
