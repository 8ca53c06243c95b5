/** A forecast of resending unknown messages, message by message, by the checks of the sender. */
import { sql } from 'kysely'
import { numberStates } from '../consent/consents.server.ts'
import { nextAllowed } from '../hours/next-allowed.ts'
import { settingsInForce } from '../hours/quiet-hours.ts'
import { type Scope, tenantWide } from '../scope/scope.server.ts'
import { isSendingStopped } from '../sending-stopped.ts'
import { COLUMNS, FROM, findWhyNot, matches, type Row } from './selecting.server.ts'
import { MAX_DECIDED, type ResendProspect, type ResendQuery, type WhyNot } from './unknown-message.ts'

type ClockAndHours = { tenant_zone: string; settings: unknown; sub_tenant_settings: unknown }
type Sendable = Row & ClockAndHours & { mobile_phone: string | null; zone: string | null }

export async function foreseeResend(scope: Scope, query: ResendQuery): Promise<ResendProspect> {
  const { rows } = await sql<Sendable>`
    select ${COLUMNS}, u.mobile_phone, coalesce(u.timezone, s.timezone) as zone, t.timezone as tenant_zone, t.settings,
      s.settings as sub_tenant_settings
    from ${FROM} join tenants t on t.id = j.tenant_id
      left join sub_tenants s on s.tenant_id = j.tenant_id and s.id = j.sub_tenant_id
    where ${matches(scope, query)} order by d.id limit ${MAX_DECIDED}`.execute(scope.db)
  const not: Partial<Record<WhyNot, number>> = {}
  for (const row of rows) {
    const why = findWhyNot(row)
    if (why) not[why] = (not[why] ?? 0) + 1
  }
  const fit = rows.filter((row) => findWhyNot(row) === null)
  const numbers = [...new Set(fit.flatMap((row) => row.mobile_phone ?? []))]
  const states = await numberStates(scope, numbers)
  const isText = (row: Sendable) =>
    row.channel === 'sms' && row.mobile_phone !== null && states.get(row.mobile_phone) === 'opted_in'
  const texts = fit.filter(isText)
  const mails = fit.filter((row) => !isText(row))
  // A manually resent e-mail of a lift leaves immediately, even at night; its reminders wait for the end of quiet
  // hours, like texts.
  const resting = [...texts, ...mails.filter((row) => row.kind === 'reminder')].filter(isResting)
  return {
    messages: fit.length,
    email: mails.length,
    sms: texts.length,
    resting: resting.length,
    fell_back: mails.filter((row) => row.channel === 'sms').length,
    is_stopped: await isStopped(scope),
    not,
  }
}

function isResting({ zone, tenant_zone, settings, sub_tenant_settings }: Sendable): boolean {
  const now = new Date()
  const recipient = {
    zone,
    tenant_zone,
    settings: settingsInForce(settings, sub_tenant_settings),
    member_id: 0,
  }
  return nextAllowed(now, recipient) > now
}

const isStopped = (scope: Scope): Promise<boolean> =>
  tenantWide(scope, async ({ actor, db }) => {
    const { settings } = await db
      .selectFrom('tenants')
      .select('settings')
      .where('id', '=', actor.tenant_id)
      .executeTakeFirstOrThrow()
    return isSendingStopped(settings)
  })
