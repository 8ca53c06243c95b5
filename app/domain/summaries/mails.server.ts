/** The Monday mail about the week of journeys, for administrators and authors who subscribe to it. */

import { restsUntil } from '../hours/resting.server.ts'
import { whyNotMailed } from '../mail-stops/asking.server.ts'
import type { Links } from '../mail-stops/stopping.server.ts'
import type { Composed } from '../outbox/composed.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { readWeek, weekBefore } from './week.server.ts'
import { summaryMail } from './week.ts'

export async function composeSummary(scope: Scope, monday: string, links: Links): Promise<Composed> {
  const { actor, db } = scope
  const user_id = actor.user_id ?? 0
  const reader = await db
    .selectFrom('users as u')
    .innerJoin('tenants as t', 't.id', 'u.tenant_id')
    .select(['u.id', 'u.email', 'u.first_name', 'u.timezone'])
    .select(['t.timezone as tenant_zone', 't.settings', 't.name as company'])
    .where('u.id', '=', user_id)
    .where('u.weekly_summary', '=', true)
    .where('u.activation_status', '!=', 'disabled')
    .where('t.status', '=', 'active')
    .executeTakeFirst()
  if (!reader || (await whyNotMailed(scope, { ...reader, user_id, journey_id: null }))) return null
  const wait = restsUntil(scope, reader)
  if (wait) return { wait }
  const journeys = await readWeek(scope, monday)
  if (journeys.length === 0) return null
  const unsubscribe = links.stopLink?.({ tenant_id: actor.tenant_id, user_id, monday: 'summary' })
  const mail = summaryMail({ ...reader, ...links, unsubscribe }, weekBefore(monday), journeys)
  return { channel: 'email', to: reader.email, ...mail, about: { user_id, journey_id: null } }
}
