/** What is sent about a person: by the API's callers, and by the forms of the screens. */
import { z } from 'zod'
import { inputsOf, orNothing } from '#app/domain/fields.ts'
import { PERSON } from './person.ts'
import { PhoneNumber } from './phone/phone.ts'
import { RoleInput } from './user.ts'

/** A number counts in the one form in which it is kept. */
export const PERSON_INPUT = { ...inputsOf(PERSON), mobile_phone: orNothing(PhoneNumber) }

const Person = z.object({
  ...PERSON_INPUT,
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
