/** What many calls have in common. */
import { z } from 'zod'

export const NOTHING = z.object({})

export const NumericId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number)
  .meta({ type: 'integer', example: 42 })

export const oneId = z.object({ id: NumericId })

/** `me` is the tenant the caller is in. */
export const TenantRef = z.union([z.uuid(), z.literal('me')])

/** About the person: the same before the terms are accepted, and in every sub-tenant. */
export const ABOUT_ONESELF = { terms: true, subTenant: true } as const
