import { z } from 'zod'
import { ROLES } from '#app/domain/access/actor.ts'
import { answersOf, inputsOf } from '#app/domain/fields.ts'
import { ACTIVATION_STATUSES, UserGeneralRole } from './current-user.ts'
import { PERSON } from './person.ts'

export const USER_ORDERS = ['date', 'name', 'email', 'status'] as const
export const USER_ROLES = ROLES.filter((role) => role !== 'super_admin')

/** A role as input; without a sub-tenant it applies to the whole tenant. */
export const RoleInput = z.strictObject({
  role: z.enum(USER_ROLES, { error: 'Please choose a role' }),
  /** Must be the caller's own; can be left out. */
  tenant_id: z.uuid().optional(),
  sub_tenant_id: z.uuid().nullable().default(null),
})
export type RoleInput = z.infer<typeof RoleInput>

export const ActivationInput = z.object({ activation_status: z.enum(['active', 'disabled']) })

export const USER_RIGHTS = [
  'edit',
  'give_roles',
  'remove_roles',
  'resend_welcome',
  'activate',
  'deactivate',
  'delete',
  'erase',
  'reset_password',
  'take_second_factor',
  'opt_out',
  'download',
] as const
export type UserRight = (typeof USER_RIGHTS)[number]

/** The result of each requested invitation. */
export const WELCOME_RESULTS = ['sent', 'already_active', 'disabled', 'too_soon', 'not_found'] as const
export const WelcomeInput = z.object({ user_ids: z.array(z.number().int().positive()).min(1).max(500) })
export const WelcomeAnswer = z.object({
  data: z.array(z.object({ user_id: z.number().int(), result: z.enum(WELCOME_RESULTS) })),
})
export type WelcomeAnswer = z.infer<typeof WelcomeAnswer>

export const User = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The phone number is null for callers who may not see it. */
  ...answersOf(PERSON),
  /** Whether this number gets texts; omitted for callers who may not see the number. */
  sms_opt_in: z.boolean().optional(),
  activation_status: z.enum(ACTIVATION_STATUSES),
  /** Null if they have never signed in; omitted for callers who may not change them. */
  last_seen_on: z.string().nullable().optional(),
  /** Erased: only their part in figures is left. */
  is_erased: z.boolean(),
  user_general_roles: z.array(UserGeneralRole),
  created_on: z.string(),
  lock_version: z.number().int(),
  rights: z.array(z.enum(USER_RIGHTS)),
})
export type User = z.infer<typeof User>

/** A person as a form sends them: the dial code is prepended to the number, unless the number has its own. */
export const UserForm = z.object({
  ...inputsOf(PERSON),
  dial_code: z
    .string()
    .regex(/^\+\d{1,4}$/, 'Please choose a country code')
    .default(''),
  user_general_roles: z
    .array(RoleInput.omit({ tenant_id: true }))
    .min(1, 'Please give at least one role')
    .default([]),
  send_welcome: z.boolean().default(false),
  lock_version: z.number().int().min(0).optional(),
})
/** For oneself: without roles, and without the address, which has to be confirmed. */
export const OwnUserForm = UserForm.omit({ email: true, user_general_roles: true, send_welcome: true })
