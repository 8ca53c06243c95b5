/** The rules of a sub-tenant: its own, its tenant's, and those in force. */

import { invalid } from '#app/domain/errors.ts'
import { QuietHours, quietHoursOf, settingsInForce } from '#app/domain/hours/quiet-hours.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { timeOfDay } from '#app/domain/text/date-format.ts'
import { tenantSettings } from './rows.server.ts'
import { CommonRules, type SubTenantRules, type SubTenantRulesInput } from './sub-tenant-rules.ts'

type Stored = { settings: unknown }
const NONE: Stored = { settings: {} }

export function ownRules({ settings }: Stored): SubTenantRules {
  const own = (settings ?? {}) as Partial<SubTenantRules>
  return {
    authors_may_create_drafts: own.authors_may_create_drafts ?? null,
    admins_need_second_factor: own.admins_need_second_factor === true ? true : null,
    quiet_hours: QuietHours.safeParse(own.quiet_hours).data ?? null,
  }
}

/** The rules in force in a sub-tenant. It decides about drafts itself, but cannot drop a second factor or shorten quiet hours. */
export function rulesInForce(tenant: Stored, subTenant: Stored = NONE): CommonRules {
  const [whole, own] = [tenantSettings(tenant), ownRules(subTenant)]
  return {
    authors_may_create_drafts: own.authors_may_create_drafts ?? whole.authors_may_create_drafts,
    admins_need_second_factor: whole.admins_need_second_factor || own.admins_need_second_factor === true,
    quiet_hours: quietHoursOf(settingsInForce(tenant.settings, subTenant.settings), true),
  }
}

export async function readRules(scope: Scope, subTenant: Stored) {
  const tenant = await readTenant(scope)
  return {
    ...ownRules(subTenant),
    of_company: CommonRules.parse(tenantSettings(tenant)),
    in_force: rulesInForce(tenant, subTenant),
  }
}

/** A sub-tenant's settings with these changes; null returns to the tenant's rule. */
export async function settleRules(
  scope: Scope,
  subTenant: Stored,
  rules: SubTenantRulesInput,
): Promise<string> {
  await requireLongerRest(scope, subTenant, rules.quiet_hours)
  const given = Object.entries(rules).filter(([, value]) => value !== undefined)
  const settings = { ...(subTenant.settings as object), ...Object.fromEntries(given) }
  const own = Object.entries(settings).filter(([, value]) => value !== null)
  return JSON.stringify(Object.fromEntries(own))
}

/** An unchanged value is accepted even if the company's quiet hours have become longer. */
async function requireLongerRest(
  scope: Scope,
  subTenant: Stored,
  wanted: QuietHours | null | undefined,
): Promise<void> {
  const known = ownRules(subTenant).quiet_hours
  if (!wanted || (known?.from === wanted.from && known.to === wanted.to)) return
  const { from, to } = tenantSettings(await readTenant(scope)).quiet_hours
  if (wanted.from > from)
    throw invalid({
      'quiet_hours.from': [
        `The company’s quiet hours start at ${timeOfDay(from)}: please choose that or earlier`,
      ],
    })
  if (wanted.to < to)
    throw invalid({
      'quiet_hours.to': [`The company’s quiet hours end at ${timeOfDay(to)}: please choose that or later`],
    })
}

const readTenant = ({ actor, db }: Scope): Promise<Stored> =>
  db.selectFrom('tenants').select('settings').where('id', '=', actor.tenant_id).executeTakeFirstOrThrow()
