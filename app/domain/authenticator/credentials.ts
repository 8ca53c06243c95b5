/** What a person types to sign in. Usernames are trimmed, passwords never. */
import { z } from 'zod'

const REQUIRED = 'This field is required'

export const Credentials = z.object({
  username: z.string({ error: REQUIRED }).trim().min(1, REQUIRED).max(254),
  password: z.string({ error: REQUIRED }),
})
