/** What became of each row of an import, as a file. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { encodePath } from '#app/api/path.ts'
import { asDownload } from './download.server.ts'
import { requirePeople } from './guard.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requirePeople(args, 'users:create')
  return asDownload(await api.getRaw(encodePath`/users/imports/${args.params.importId}/result`))
}
