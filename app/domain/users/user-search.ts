/** The list of people: its search and filters, and its answer. */
import { z } from 'zod'
import { namesWith } from '#app/domain/fields.ts'
import { pageOf, pageSearch } from '#app/domain/page.ts'
import { line } from '#app/domain/text/text.ts'
import { ACTIVATION_STATUSES } from './current-user.ts'
import { PERSON } from './person.ts'
import { USER_ORDERS, USER_ROLES, User } from './user.ts'

/** The fields that filter the list; several values of a field are alternatives. */
export const FILTERED = namesWith(PERSON, 'filtered')
export const FilterValues = z.array(line(120)).max(20)
export const SubTenantIds = z.array(z.uuid()).max(20)

export const ofEachFilter = <Result>(to: (name: (typeof FILTERED)[number]) => Result) =>
  Object.fromEntries(FILTERED.map((name) => [name, to(name)])) as Record<(typeof FILTERED)[number], Result>

/** `facets`: the existing values of each filter. */
export const UserPage = pageOf(User).extend({
  facets: z
    .object({
      ...ofEachFilter(() => z.array(z.string())),
      /** For administrators of the whole tenant: the first by name, and those that the list is filtered by. */
      sub_tenant_id: z.array(z.object({ id: z.uuid(), name: z.string() })).optional(),
    })
    .optional(),
})

const UserSearch = z.object({
  ...pageSearch(USER_ORDERS),
  role: z.array(z.enum(USER_ROLES)).catch([]),
  activation_status: z.array(z.enum(ACTIVATION_STATUSES)).catch([]),
  sub_tenant_id: SubTenantIds.catch([]),
  ...ofEachFilter(() => FilterValues.catch([])),
})

/** Parameters may be repeated in the URL. */
export function readUserSearch(params: URLSearchParams) {
  const known = (name: string, values: readonly string[]) =>
    params.getAll(name).filter((value) => values.includes(value))
  const role = known('role', USER_ROLES)
  const activation_status = known('activation_status', ACTIVATION_STATUSES)
  const sub_tenant_id = params.getAll('sub_tenant_id')
  const values = ofEachFilter((name) => params.getAll(name).filter((value) => value.trim()))
  return UserSearch.parse({
    ...Object.fromEntries(params),
    role,
    activation_status,
    sub_tenant_id,
    ...values,
  })
}
