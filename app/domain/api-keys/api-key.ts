/** A key with which a program uses the HTTP API, and the inputs of its calls. */
import { z } from 'zod'
import { pageOf } from '../page.ts'
import { requiredLine } from '../text/text.ts'

export const KEY_ROLES = ['admin', 'author'] as const

/** The first one that applies. `without_maker`: the person who made the key no longer administers its tenant or sub-tenant. */
export const KEY_STATES = ['revoked', 'expired', 'without_maker', 'active'] as const

export const ApiKey = z.object({
  id: z.number().int(),
  name: z.string(),
  role: z.enum(KEY_ROLES),
  is_read_only: z.boolean(),
  sub_tenant_id: z.uuid().nullable(),
  sub_tenant: z.string().nullable(),
  secret_start: z.string(),
  state: z.enum(KEY_STATES),
  made_by: z.object({ id: z.number().int(), name: z.string() }),
  created_on: z.string(),
  expires_on: z.string(),
  last_used_on: z.string().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>
export const ApiKeyPage = pageOf(ApiKey)

export const NewApiKey = ApiKey.extend({ secret: z.string() })
export type NewApiKey = z.infer<typeof NewApiKey>

const MAX_DAYS = 365
const days = z.coerce
  .number({ error: 'Please give a number of days' })
  .int('Please give a whole number')
  .min(1, 'Please give at least 1 day')
  .max(MAX_DAYS, `Please give at most ${MAX_DAYS} days`)

const Described = z.object({
  name: requiredLine(80),
  role: z.enum(KEY_ROLES, { error: 'Please choose a role' }),
})

export const ApiKeyInput = Described.extend({
  is_read_only: z.boolean().default(false),
  /** Null or left out: the caller's current place. */
  sub_tenant_id: z.uuid().nullable().optional(),
  expires_in_days: days.default(90),
  /** Repeated within ten minutes and before the key was used, this creates no second key but a new secret for the first. */
  request_id: z.uuid().optional(),
})
export type ApiKeyInput = z.infer<typeof ApiKeyInput>

export const ApiKeyForm = Described.extend({
  is_read_only: z.boolean().optional(),
  sub_tenant_id: z.uuid('Please choose a sub-tenant').optional(),
  expires_in_days: days,
})
