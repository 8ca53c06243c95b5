/** The list of people: its search and filters, and its answer. */
import { z } from 'zod'
import { namesWith } from '#app/domain/fields.ts'
import { pageOf, pageSearch } from '#app/domain/page.ts'
import { line } from '#app/domain/text/text.ts'
import { PERSON } from './person.ts'
import { USER_ORDERS, USER_ROLES, User } from './user.ts'

/** The fields that filter the list; several values of a field are alternatives. */
export const FILTERED = namesWith(PERSON, 'filtered')
export const FilterValues = z.array(line(120)).max(20)

export const ofEachFilter = <Result>(to: (name: (typeof FILTERED)[number]) => Result) =>
  Object.fromEntries(FILTERED.map((name) => [name, to(name)])) as Record<(typeof FILTERED)[number], Result>

/** `facets`: the existing values of each filter. */
export const UserPage = pageOf(User).extend({
  facets: z.object(ofEachFilter(() => z.array(z.string()))).optional(),
})

const UserSearch = z.object({
  ...pageSearch(USER_ORDERS),
  role: z.array(z.enum(USER_ROLES)).catch([]),
  ...ofEachFilter(() => FilterValues.catch([])),
})

/** Parameters may be repeated in the URL. */
export function readUserSearch(params: URLSearchParams) {
  const role = params.getAll('role').filter((name) => USER_ROLES.some((known) => known === name))
  const values = ofEachFilter((name) => params.getAll(name))
  return UserSearch.parse({ ...Object.fromEntries(params), role, ...values })
}
