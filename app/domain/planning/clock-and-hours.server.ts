/** The clock and the rest of the place to which a journey belongs: its company, or a part of it. */

import { settingsOfPlace } from '../quiet-hours.ts'
import { inTheMiddle, type Scope } from '../scope.server.ts'

/** Whoever takes part from inside another sub-tenant is planned by the same hours. */
export const readPlace = (scope: Scope, journeyId: number) =>
  inTheMiddle(scope, async ({ db }) => {
    const { tenant_zone, settings, part_settings } = await db
      .selectFrom('journeys as j')
      .innerJoin('tenants as t', 't.id', 'j.tenant_id')
      .leftJoin('sub_tenants as s', 's.id', 'j.sub_tenant_id')
      .select(['t.timezone as tenant_zone', 't.settings', 's.settings as part_settings'])
      .where('j.id', '=', journeyId)
      .executeTakeFirstOrThrow()
    return { tenant_zone, settings: settingsOfPlace(settings, part_settings) }
  })
