/** How a person signs in, before anyone knows who they are. */
import { z } from 'zod'
import { EmailAddress } from '#app/domain/text/text.ts'

export const PoolQuery = z.object({ email: EmailAddress })

export const PoolConfiguration = z.object({
  userPoolId: z.string(),
  userPoolWebClientId: z.string(),
  kind: z.enum(['embedded', 'cognito', 'oidc']),
  login_mode: z.enum(['screens', 'redirect']),
})
export type PoolConfiguration = z.infer<typeof PoolConfiguration>
