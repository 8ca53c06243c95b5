/** The people of the list as a file. */

import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportUsers } from '#app/api/contract/people/users.ts'
import { pick } from '#app/domain/fields.ts'
import { parseOrder } from '#app/domain/page.ts'
import { USER_ORDERS } from '#app/domain/users/user.ts'
import { FILTERED, readUserSearch } from '#app/domain/users/user-search.ts'
import { asDownload } from '#app/routes/download.server.ts'
import { requirePeople } from './guard.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requirePeople(args, 'users:edit')
  const search = new URL(args.request.url).searchParams
  const order = parseOrder(search.get('order') ?? '', USER_ORDERS)
  const filters = pick(readUserSearch(search), ['role', 'activation_status', 'sub_tenant_id', ...FILTERED])
  const wanted = { q: search.get('q'), ...filters, ...order }
  return asDownload(await api(exportUsers, wanted))
}
