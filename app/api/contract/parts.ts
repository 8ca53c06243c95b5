/** Schemas that many calls share. */
import { z } from 'zod'

export const NOTHING = z.object({})

export const NumericId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number)
  .meta({ type: 'integer', example: 42 })

export const oneId = z.object({ id: NumericId })

/** `me` stands for the caller's current tenant. */
export const TenantRef = z.union([z.uuid(), z.literal('me')])

/** Calls about one's own account are allowed before the terms are accepted and before a sub-tenant is chosen. */
export const ABOUT_ONESELF = { terms: true, subTenant: true } as const
