/** The time zone and quiet hours of a journey: its sub-tenant's, or its tenant's. */

import { notFound } from '../errors.ts'
import { settingsInForce } from '../hours/quiet-hours.ts'
import { askOnce } from '../scope/ask-once.server.ts'
import { type Scope, tenantWide } from '../scope/scope.server.ts'

/** Participants from another sub-tenant, who do not see the journey's, are planned by the same hours. */
export async function readClockAndHours(scope: Scope, journeyId: number) {
  const here = (one: Scope) => askOnce(one, ['clock and hours', journeyId], () => read(one, journeyId))
  const found = (await here(scope)) ?? (await tenantWide(scope, here))
  if (!found) throw notFound()
  return found
}

async function read({ db }: Scope, journeyId: number) {
  const found = await db
    .selectFrom('journeys as j')
    .innerJoin('tenants as t', 't.id', 'j.tenant_id')
    .leftJoin('sub_tenants as s', 's.id', 'j.sub_tenant_id')
    .select(['t.timezone as tenant_zone', 't.settings', 's.settings as sub_tenant_settings'])
    .where('j.id', '=', journeyId)
    .where((is) => is.or([is('j.sub_tenant_id', 'is', null), is('s.id', 'is not', null)]))
    .executeTakeFirst()
  if (!found) return null
  const { tenant_zone, settings, sub_tenant_settings } = found
  return { tenant_zone, settings: settingsInForce(settings, sub_tenant_settings) }
}
