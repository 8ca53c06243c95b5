/** Whether a mail that goes on by itself may be sent: asked each time before one leaves. */
import type { Scope } from '../scope.server.ts'
import { addressState } from './addresses.server.ts'
import { stoppedFor } from './stopping.server.ts'

/** Without a journey it is about several. */
type About = { email: string; user_id: number; journey_id: number | null }
type WhyNot = 'mail_stopped' | 'address_bounced' | 'address_complained'

export async function whyNotMailed(scope: Scope, about: About): Promise<WhyNot | null> {
  if ((await stoppedFor(scope, about.user_id, about.journey_id)) !== 'none') return 'mail_stopped'
  const stopped = await addressState(scope, about.email)
  return stopped && `address_${stopped.why}`
}
