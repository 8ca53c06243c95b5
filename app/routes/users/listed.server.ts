/** The fields of people in the list. They are declared with their schemas, which stay on the server. */
import type { z } from 'zod'
import { namesWith, pick } from '#app/domain/fields.ts'
import { ACTIVATION_STATUSES } from '#app/domain/users/current-user.ts'
import { PERSON } from '#app/domain/users/person.ts'
import { statusWord } from '#app/domain/users/status-word.ts'
import { USER_ORDERS, USER_ROLES, type User } from '#app/domain/users/user.ts'
import { FILTERED, type UserPage } from '#app/domain/users/user-search.ts'
import type { Chips } from '#app/ui/list/filter-bar.tsx'
import { inWords } from './in-words.ts'

const NAMES = namesWith(PERSON, 'listed')

/** The fields that have columns. */
export const LISTED = NAMES.map((name) => ({
  name,
  label: PERSON[name].label,
  sortable: USER_ORDERS.some((order) => order === name),
}))
export type ListedField = (typeof LISTED)[number]

/** A person for whom none of these is allowed cannot be selected. */
const BULK_RIGHTS = ['resend_welcome', 'activate', 'deactivate'] as const

/** Only the fields of a person that the list shows. */
export const toListed = (user: User) => ({
  ...pick(user, ['id', 'name', 'activation_status', 'is_erased', 'created_on', ...NAMES]),
  roles: [...new Set(user.user_general_roles.map(({ role }) => inWords(role)))],
  may_be_chosen: BULK_RIGHTS.some((right) => user.rights.includes(right)),
})
export type ListedUser = ReturnType<typeof toListed>

const ROLE_CHIPS = {
  name: 'role',
  legend: 'Role',
  options: USER_ROLES.map((role) => ({ value: role, label: inWords(role) })),
}

const STATUS_CHIPS = {
  name: 'activation_status',
  legend: 'Status',
  options: ACTIVATION_STATUSES.map((status) => ({ value: status, label: inWords(statusWord(status)) })),
}

/** An active filter has its chip, even if nobody has that value any longer. */
export const chipsOf = (
  { facets }: z.infer<typeof UserPage>,
  search: Record<(typeof FILTERED)[number], readonly string[]>,
): Chips[] =>
  [
    ROLE_CHIPS,
    STATUS_CHIPS,
    {
      name: 'sub_tenant_id',
      legend: 'Sub-tenant',
      options: (facets?.sub_tenant_id ?? []).map(({ id, name }) => ({ value: id, label: name })),
    },
    ...FILTERED.map((name) => ({
      name,
      legend: PERSON[name].label,
      options: [...new Set([...(facets?.[name] ?? []), ...search[name]])],
    })),
  ].filter(({ options }) => options.length > 0)
