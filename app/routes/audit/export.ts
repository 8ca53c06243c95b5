/** The audit log as a file, with the filters of the screen. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportAuditEvents } from '#app/api/contract/audit.ts'
import { requireReader } from './read.server.ts'
import { readAuditSearch } from './search.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { visitor } = await requireReader(args)
  const { query } = await readAuditSearch(args, visitor)
  const answer = await visitor.api(exportAuditEvents, { ...query, page: null })
  const headers = ['content-type', 'content-disposition', 'x-content-type-options'].map(
    (name): [string, string] => [name, answer.headers.get(name) ?? ''],
  )
  return new Response(answer.body, { headers: [...headers, ['cache-control', 'no-store']] })
}
