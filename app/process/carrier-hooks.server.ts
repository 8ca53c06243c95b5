/** Passes on what carriers report to the tenants concerned. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '#app/config.server.ts'
import type { Databases } from '#app/db/databases.server.ts'
import { readText } from '#app/domain/consent/reading.ts'
import { recordAddressEvent } from '#app/domain/mail-stops/addresses.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { recordDelivery } from '#app/domain/sending/delivery-reports.server.ts'
import { receiveText } from '#app/domain/text-answers/receive-text.server.ts'
import { lastTexted, learnsIn } from '#app/domain/text-answers/texted-lifts.server.ts'
import {
  type Heard,
  type Hooks,
  createHooks as hooksAt,
  type Listeners,
} from '#app/integrations/hooks.server.ts'
import { mailHooks } from '#app/integrations/mail/mail-hooks.server.ts'
import { twilioHooks } from '#app/integrations/texts/twilio-hooks.server.ts'
import { vonageHooks } from '#app/integrations/texts/vonage-hooks.server.ts'

type Setting = {
  config: Pick<
    Config,
    | 'PUBLIC_ORIGIN'
    | 'SMS_CARRIER'
    | 'TWILIO_AUTH_TOKEN'
    | 'TWILIO_AUTH_TOKEN_BEFORE'
    | 'VONAGE_SIGNATURE_SECRET'
    | 'VONAGE_SIGNATURE_SECRET_BEFORE'
    | 'MAIL_HOOK_SECRET'
    | 'MAIL_HOOK_SECRET_BEFORE'
    | 'SECRETS_BEFORE_UNTIL'
  >
  databases: Pick<Databases, 'app'>
}

/** For mounting at `/api/v1/hooks`; a carrier that is not configured has no hook. */
export function createHooks({ config, databases: { app } }: Setting): Hooks {
  const valid = (now: string, before: string | undefined) => () =>
    before !== undefined && Date.now() < (config.SECRETS_BEFORE_UNTIL?.getTime() ?? 0) ? [now, before] : [now]
  const listeners = listenersOf(app)
  const { TWILIO_AUTH_TOKEN: twilio, VONAGE_SIGNATURE_SECRET: vonage, MAIL_HOOK_SECRET: mail } = config
  const isVonage = config.SMS_CARRIER === 'vonage'
  return hooksAt(config.PUBLIC_ORIGIN, {
    ...(!isVonage && twilio && twilioHooks(valid(twilio, config.TWILIO_AUTH_TOKEN_BEFORE), listeners)),
    ...(isVonage && vonage && vonageHooks(valid(vonage, config.VONAGE_SIGNATURE_SECRET_BEFORE), listeners)),
    ...(mail && mailHooks(valid(mail, config.MAIL_HOOK_SECRET_BEFORE), listeners)),
  })
}

const listenersOf = (app: Databases['app']): Listeners => ({
  /** STOP, START and HELP reach every tenant that knows the number; any other text reaches one. */
  async onText(heard) {
    const { rows } = await sql<{ id: string }>`select tenants_of_number(${heard.from}) as id`.execute(app)
    const ids = rows.map(({ id }) => id)
    const one = await spokenTo(app, ids, heard)
    for (const id of ids)
      await inScope(app, systemActor(id), (scope) =>
        receiveText(scope, { ...heard, is_elsewhere: one !== null && one !== id }),
      )
  },

  async onStatus({ tenant_id, key, provider_id, status, code, number }) {
    if (!z.uuid().safeParse(tenant_id).success) return
    const delivered = status === 'delivered'
    const told = { provider_id, delivered, code: code && `sms:${code.slice(0, 10)}`, number }
    await inScope(app, systemActor(tenant_id), (scope) => recordDelivery(scope, key, told))
  },

  async onAddress(told) {
    const { rows } = await sql<{
      id: string
    }>`select tenants_of_address(${told.address}::citext) as id`.execute(app)
    for (const { id } of rows) await inScope(app, systemActor(id), (scope) => recordAddressEvent(scope, told))
  },
})

/** The tenant whose journey the text names, else the one that texted the number last. */
async function spokenTo(app: Databases['app'], ids: readonly string[], { from, text }: Heard) {
  const reading = readText(text)
  let latest: { id: string; at: Date } | null = null
  for (const id of ids) {
    const [isNamed, at] = await inScope(app, systemActor(id), async (scope) => [
      reading.kind === 'leave' && (await learnsIn(scope, from, reading.journey_id)),
      await lastTexted(scope, from),
    ])
    if (isNamed) return id
    if (at && (latest === null || at > latest.at)) latest = { id, at }
  }
  return latest?.id ?? null
}
