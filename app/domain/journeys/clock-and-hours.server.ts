/** The time zone and quiet hours of a journey: its sub-tenant's, or its tenant's. */
import { sql } from 'kysely'
import { notFound } from '../errors.ts'
import { settingsInForce } from '../hours/quiet-hours.ts'
import { askOnce, type Question, remember } from '../scope/ask-once.server.ts'
import { type Scope, tenantWide } from '../scope/scope.server.ts'

/** Participants from another sub-tenant, who do not see the journey's, are planned by the same hours. */
export async function readClockAndHours(scope: Scope, journeyId: number) {
  const here = (one: Scope) => askOnce(one, question(journeyId), () => read(one, journeyId))
  const found = (await here(scope)) ?? (await tenantWide(scope, here))
  if (!found) throw notFound()
  const { tenant_zone, settings, sub_tenant_settings } = found
  return { tenant_zone, settings: settingsInForce(settings, sub_tenant_settings) }
}

type Found = { tenant_zone: string; settings: unknown; sub_tenant_settings: unknown }

/** A column of `journeys as j`. */
export const CLOCK_AND_HOURS = sql<Found | null>`(
  select jsonb_build_object('tenant_zone', t.timezone, 'settings', t.settings, 'sub_tenant_settings', s.settings)
  from tenants t left join sub_tenants s on s.id = j.sub_tenant_id
  where t.id = j.tenant_id and (j.sub_tenant_id is null or s.id is not null))`

/** What was read with the journey. */
export const rememberClockAndHours = (scope: Scope, journeyId: number, found: Found | null): void =>
  remember(scope, question(journeyId), found)

const question = (journeyId: number): Question => ['clock and hours', journeyId]

async function read({ db }: Scope, journeyId: number): Promise<Found | null> {
  const of = db.selectFrom('journeys as j').select(CLOCK_AND_HOURS.as('found'))
  return (await of.where('j.id', '=', journeyId).executeTakeFirst())?.found ?? null
}
