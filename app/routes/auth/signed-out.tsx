import { Callout, Text } from '@radix-ui/themes'
import type { Reason } from '#app/auth/visit.server.ts'

export const ENDED: Record<Reason, string> = {
  account_disabled: 'Your account is deactivated. Ask an administrator of your company to activate it.',
  tenant_inactive:
    'Your company is not active at the moment. Only the people who run Liftwell can activate it again.',
  sub_tenant_inactive: 'Your sub-tenant is not active at the moment. Ask an administrator of your company.',
}

/** Says why somebody was signed out. */
export function SignedOut({ expired, ended }: { expired: boolean; ended: Reason | null }) {
  if (!expired && !ended) return null
  return (
    <Callout.Root color="amber" role="status">
      <Text as="p" size="2">
        {ended ? ENDED[ended] : 'Your sign-in expired, try again'}
      </Text>
    </Callout.Root>
  )
}
