/** The rules of a part of a company: its own, its company's, and what holds of both. */
import { timeOfDay } from '#app/domain/date-format.ts'
import { invalid } from '#app/domain/errors.ts'
import { quietHoursOf, settingsOfPlace } from '#app/domain/quiet-hours.ts'
import type { Scope } from '#app/domain/scope.server.ts'
import { CommonRules, type PartRules, type PartRulesInput } from './part-rules.ts'
import { QuietHours } from './quiet-hours.ts'
import { companySettings } from './rows.server.ts'

type Stored = { settings: unknown }
const NONE: Stored = { settings: {} }

/** What a part has settled itself. */
export function ownRules({ settings }: Stored): PartRules {
  const own = (settings ?? {}) as Partial<PartRules>
  return {
    authors_may_create_drafts: own.authors_may_create_drafts ?? null,
    admins_need_second_factor: own.admins_need_second_factor === true ? true : null,
    quiet_hours: QuietHours.safeParse(own.quiet_hours).data ?? null,
  }
}

/** What holds in a part: its drafts are its own affair, a second factor and the longer rest are never taken away. */
export function rulesInForce(company: Stored, part: Stored = NONE): CommonRules {
  const [whole, own] = [companySettings(company), ownRules(part)]
  return {
    authors_may_create_drafts: own.authors_may_create_drafts ?? whole.authors_may_create_drafts,
    admins_need_second_factor: whole.admins_need_second_factor || own.admins_need_second_factor === true,
    quiet_hours: quietHoursOf(settingsOfPlace(company.settings, part.settings), true),
  }
}

export async function readRules(scope: Scope, part: Stored) {
  const company = await readCompany(scope)
  return {
    ...ownRules(part),
    of_company: CommonRules.parse(companySettings(company)),
    in_force: rulesInForce(company, part),
  }
}

/** A part's settings with these of its own; null puts the company's back. */
export async function settleRules(scope: Scope, part: Stored, rules: PartRulesInput): Promise<string> {
  await requireLongerRest(scope, part, rules.quiet_hours)
  const given = Object.entries(rules).filter(([, value]) => value !== undefined)
  const settings = { ...(part.settings as object), ...Object.fromEntries(given) }
  const own = Object.entries(settings).filter(([, value]) => value !== null)
  return JSON.stringify(Object.fromEntries(own))
}

/** What has been settled already stays, also when the company came to rest longer than that. */
async function requireLongerRest(
  scope: Scope,
  part: Stored,
  wanted: QuietHours | null | undefined,
): Promise<void> {
  const known = ownRules(part).quiet_hours
  if (!wanted || (known?.from === wanted.from && known.to === wanted.to)) return
  const { from, to } = companySettings(await readCompany(scope)).quiet_hours
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

const readCompany = ({ actor, db }: Scope): Promise<Stored> =>
  db.selectFrom('tenants').select('settings').where('id', '=', actor.tenant_id).executeTakeFirstOrThrow()
