/** Input about a person, from callers of the API and from forms. */
import { z } from 'zod'
import { inputsOf, orNothing } from '#app/domain/fields.ts'
import { PERSON } from './person.ts'
import { PhoneNumber } from './phone/phone.ts'
import { RoleInput } from './user.ts'

/** Numbers are normalized to their stored form. */
export const PERSON_INPUT = { ...inputsOf(PERSON), mobile_phone: orNothing(PhoneNumber) }

const Person = z.object({
  ...PERSON_INPUT,
  user_general_roles: z
    .array(RoleInput)
    .min(1, 'Please give at least one role')
    .max(100, 'Please give at most 100 roles'),
})

export const UserInput = Person.extend({
  /** Whether the invitation is sent immediately. */
  send_welcome: z.boolean().default(true),
})
export type UserInput = z.infer<typeof UserInput>

/** Fields that are left out stay as they are; `user_general_roles` replaces all roles in the caller's scope. */
export const UserChange = Person.partial().extend({ lock_version: z.number().int().min(0).optional() })
export type UserChange = z.infer<typeof UserChange>
