/** The time zone and quiet hours of a journey: its sub-tenant's, or its tenant's. */

import { settingsInForce } from '../hours/quiet-hours.ts'
import { askOnce } from '../scope/ask-once.server.ts'
import { type Scope, tenantWide } from '../scope/scope.server.ts'

/** Read tenant-wide: participants from another sub-tenant are planned by the same hours. */
export const readClockAndHours = (scope: Scope, journeyId: number) =>
  tenantWide(scope, (wide) => askOnce(wide, ['clock and hours', journeyId], () => read(wide, journeyId)))

async function read({ db }: Scope, journeyId: number) {
  const { tenant_zone, settings, sub_tenant_settings } = await db
    .selectFrom('journeys as j')
    .innerJoin('tenants as t', 't.id', 'j.tenant_id')
    .leftJoin('sub_tenants as s', 's.id', 'j.sub_tenant_id')
    .select(['t.timezone as tenant_zone', 't.settings', 's.settings as sub_tenant_settings'])
    .where('j.id', '=', journeyId)
    .executeTakeFirstOrThrow()
  return { tenant_zone, settings: settingsInForce(settings, sub_tenant_settings) }
}
