/** The list of people: what it is searched and filtered by, and what is answered. */
import { z } from 'zod'
import { namesWith } from '#app/domain/fields.ts'
import { pageOf, pageSearch } from '#app/domain/page.ts'
import { line } from '#app/domain/text/text.ts'
import { PERSON } from './person.ts'
import { USER_ORDERS, USER_ROLES, User } from './user.ts'

/** The fields by whose values the list is filtered: several of one field are alternatives. */
export const FILTERED = namesWith(PERSON, 'filtered')
export const FilterValues = z.array(line(120)).max(20)

export const ofEachFilter = <Result>(to: (name: (typeof FILTERED)[number]) => Result) =>
  Object.fromEntries(FILTERED.map((name) => [name, to(name)])) as Record<(typeof FILTERED)[number], Result>

/** `facets`: the values that people have, of each field that filters. */
export const UserPage = pageOf(User).extend({
  facets: z.object(ofEachFilter(() => z.array(z.string()))).optional(),
})

const UserSearch = z.object({
  ...pageSearch(USER_ORDERS),
  role: z.array(z.enum(USER_ROLES)).catch([]),
  ...ofEachFilter(() => FilterValues.catch([])),
})

/** A parameter may stand in the address more than once. */
export function readUserSearch(params: URLSearchParams) {
  const role = params.getAll('role').filter((name) => USER_ROLES.some((known) => known === name))
  const values = ofEachFilter((name) => params.getAll(name))
  return UserSearch.parse({ ...Object.fromEntries(params), role, ...values })
}
