/** When a person may be reached: not while their company has stopped sending, and not in their quiet hours. */
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { isSendingStopped } from '../sending-stopped.ts'
import { nextAllowed } from './next-allowed.ts'

type Reached = { id: number; timezone: string | null; tenant_zone: string; settings: unknown }

export function restsUntil(scope: Scope, { id, timezone, ...where }: Reached): Date | null {
  const now = nowIn(scope)
  if (isSendingStopped(where.settings)) return new Date(now.getTime() + 15 * 60_000)
  const from = nextAllowed(now, { ...where, zone: timezone, member_id: id })
  return from > now ? from : null
}
