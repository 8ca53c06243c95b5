/** What is sent about a person: by the API's callers, and by the forms of the screens. */
import { z } from 'zod'
import { TimeZone } from '#app/domain/tenants/timezone.ts'
import { EmailAddress, FirstName, LastName, line } from '#app/domain/text.ts'
import { PhoneNumber } from './phone.ts'
import { RoleInput } from './user.ts'

const Person = z.object({
  first_name: FirstName,
  last_name: LastName.optional(),
  email: EmailAddress,
  mobile_phone: PhoneNumber.nullable().optional(),
  job_title: line(120).nullable().optional(),
  /** A person without a zone of their own follows the company. */
  timezone: TimeZone.nullable().optional(),
  user_general_roles: z
    .array(RoleInput)
    .min(1, 'Please give at least one role')
    .max(100, 'Please give at most 100 roles'),
})

export const UserInput = Person.extend({
  /** Whether the invitation leaves at once. */
  send_welcome: z.boolean().default(true),
})
export type UserInput = z.infer<typeof UserInput>

/** What is left out stays as it is; the roles, when given, are all that the person holds in the caller's scope. */
export const UserChange = Person.partial().extend({ lock_version: z.number().int().min(0).optional() })
export type UserChange = z.infer<typeof UserChange>
