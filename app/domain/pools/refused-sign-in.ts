/** A sign-in at a provider elsewhere that came to nothing, as a super admin reads of it. Safe for the browser. */
import { z } from 'zod'

export const RefusedSignIn = z.object({
  id: z.number().int(),
  reason: z.string(),
  request_id: z.string(),
  created_on: z.coerce.date(),
})
export type RefusedSignIn = z.infer<typeof RefusedSignIn>
