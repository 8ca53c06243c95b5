/** Whether a person still has to set up a required second factor: checked at each request, to the API and to screens. */
import { getConfig } from '#app/config.server.ts'
import { hasSecondFactor } from '#app/domain/account/own-security.server.ts'
import { secondFactorIsDue } from '#app/domain/authenticator/second-factor.server.ts'
import type { InScope } from '#app/domain/scope/shared-reads.server.ts'
import { toActor } from './actor.server.ts'
import { getOwnAccounts } from './own-accounts.server.ts'
import type { Principal } from './principal.ts'

export const SECOND_FACTOR_FIRST = 'Set up a second factor first: you need one here.'

/** Always false for a provider elsewhere: it enforces its own tenant's rules, and we know nothing of them. */
export async function lacksSecondFactor(principal: Principal, inScope: InScope): Promise<boolean> {
  const accounts = getOwnAccounts()
  if (!accounts || !secondFactorIsDue(principal, getConfig().DEMO)) return false
  return (await hasSecondFactor(inScope, toActor(principal, {}), accounts)) === false
}
