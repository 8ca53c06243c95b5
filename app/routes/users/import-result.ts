/** The outcome of each row of an import, as a file. */

import type { LoaderFunctionArgs } from '@remix-run/node'
import { getImportResult } from '#app/api/contract/people/user-imports.ts'
import { asDownload } from '#app/routes/download.server.ts'
import { requirePeople } from './guard.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requirePeople(args, 'users:create')
  return asDownload(await api(getImportResult, { id: args.params.importId }))
}
