/** A failed sign-in at an external provider, as a super admin sees it. Safe for the browser. */
import { z } from 'zod'

export const RefusedSignIn = z.object({
  id: z.number().int(),
  reason: z.string(),
  request_id: z.string(),
  created_on: z.coerce.date(),
})
export type RefusedSignIn = z.infer<typeof RefusedSignIn>
