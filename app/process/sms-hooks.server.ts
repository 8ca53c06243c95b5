/** What the carrier of texts tells us, handed to the companies that it concerns. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '#app/config.server.ts'
import type { Databases } from '#app/db/databases.server.ts'
import { inScope, systemActor } from '#app/domain/scope.server.ts'
import { recordDelivery } from '#app/domain/sending/delivery-reports.server.ts'
import { receiveText } from '#app/domain/sending/receive-text.server.ts'
import { createTextHooks, type Heard, type Hooks, type Told } from '#app/integrations/text-hooks.server.ts'

type Setting = {
  config: Pick<Config, 'TWILIO_AUTH_TOKEN' | 'PUBLIC_ORIGIN'>
  databases: Pick<Databases, 'app'>
}

/** Undefined where no carrier is configured. */
export function createHooks({ config, databases: { app } }: Setting): Hooks | undefined {
  if (config.TWILIO_AUTH_TOKEN === undefined) return undefined
  return createTextHooks({
    token: config.TWILIO_AUTH_TOKEN,
    origin: config.PUBLIC_ORIGIN,

    /** Every company that knows the number: whoever stops, stops all that comes from ours. */
    async onText(heard: Heard) {
      const { rows } = await sql<{ id: string }>`select tenants_of_number(${heard.from}) as id`.execute(app)
      for (const { id } of rows) await inScope(app, systemActor(id), (scope) => receiveText(scope, heard))
    },

    async onStatus({ tenant_id, key, provider_id, status, code }: Told) {
      const delivered = status === 'delivered'
      if (!z.uuid().safeParse(tenant_id).success || !(delivered || /^(undelivered|failed)$/.test(status)))
        return
      await inScope(app, systemActor(tenant_id), (scope) =>
        recordDelivery(scope, key, { provider_id, delivered, code: code && `sms:${code.slice(0, 10)}` }),
      )
    },
  })
}
