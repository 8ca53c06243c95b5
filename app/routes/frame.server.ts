/** The data of the frame around every screen of signed-in people. */

import { randomUUID } from 'node:crypto'
import type { LoaderFunctionArgs } from '@remix-run/node'
import type { Told } from '#app/domain/notifications/notification.ts'
import { formatDate } from '#app/domain/text/date-format.ts'
import { zoneAtHome } from '#app/domain/users/clock.ts'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import type { Visitor } from '#app/routes/guards.server.ts'
import { readTold } from '#app/routes/notifications/told.server.ts'

export type Frame = {
  user: CurrentUser
  /**
   * Null if nothing may be read (before the terms, a second factor, the choice of a sub-tenant) or nothing can be.
   */
  told: Told | null
  /** When the impersonation ends automatically, in the super admin's own zone. */
  inside_until: string | null
  /** The idempotency key of forms on this page, however often one is sent. */
  form_key: string
  /** Whether actions inside a company are logged where its people can read them. */
  is_audited: boolean
}

type Args = Pick<LoaderFunctionArgs, 'context'>

export async function readFrame(args: Args, visitor: Visitor): Promise<Frame> {
  const { api, session, principal, should_enter_subtenant, lacks_second_factor } = visitor
  const isReady = principal.accepted_terms_on !== null && !should_enter_subtenant && !lacks_second_factor
  const reading = readCurrentUser(args, visitor, isReady)
  const [user, told] = await Promise.all([reading, isReady ? toldOrNone(readTold(api, reading)) : null])
  const { impersonation_ends_at: ends_at } = session
  return {
    user,
    told,
    inside_until: ends_at && clockOf(ends_at, zoneAtHome(user)),
    form_key: randomUUID(),
    is_audited: session.kept === undefined,
  }
}

/** A page does not fail because its notifications are unavailable. */
async function toldOrNone(told: Promise<Told>): Promise<Told | null> {
  try {
    return await told
  } catch (error) {
    if (error instanceof Response) return null
    throw error
  }
}

const clockOf = (at: Date, timeZone: string): string =>
  formatDate(at, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone })
