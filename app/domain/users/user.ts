/** A person of a tenant, as colleagues see them. */
import { z } from 'zod'
import { ROLES } from '#app/domain/access/actor.ts'
import { pageSearch } from '#app/domain/page.ts'
import { ACTIVATION_STATUSES, UserGeneralRole } from './current-user.ts'

export const USER_ORDERS = ['date', 'name', 'email', 'status'] as const
export const USER_ROLES = ROLES.filter((role) => role !== 'super_admin')

export const User = z.object({
  id: z.number().int(),
  first_name: z.string(),
  last_name: z.string(),
  name: z.string(),
  email: z.string(),
  /** Null for those who may not see it. */
  mobile_phone: z.string().nullable(),
  job_title: z.string().nullable(),
  timezone: z.string().nullable(),
  activation_status: z.enum(ACTIVATION_STATUSES),
  user_general_roles: z.array(UserGeneralRole),
  created_on: z.string(),
  lock_version: z.number().int(),
})
export type User = z.infer<typeof User>

/** The search parameters of the list; whatever is wrong becomes the default. */
export const UserSearch = z.object({
  ...pageSearch(USER_ORDERS),
  role: z.array(z.enum(USER_ROLES)).catch([]),
})
