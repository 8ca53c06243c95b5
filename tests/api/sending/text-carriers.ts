/** For the tests of the text carriers: a text, a store of what was sent, and our webhooks on a port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { recordConsent } from '#app/domain/consent/consents.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import type { Message } from '#app/integrations/carrier.ts'
import type { SentStore } from '#app/integrations/sent.server.ts'
import { createHooks } from '#app/process/carrier-hooks.server.ts'
import type { JourneysWorld } from '#tests/api/journeys/journeys-world.ts'

export const NUMBER = '+436641234567'
export const PUBLIC = 'https://learn.example'
export const text: Message = {
  tenant_id: '6f1f3b0e-0000-4000-8000-000000000001',
  key: '6f1f3b0e-0000-4000-8000-000000000001:7',
  channel: 'sms',
  to: NUMBER,
  subject: '',
  text: 'Hi Léna & co: https://learn.example/lift/7',
}

export function createKept() {
  const kept = new Map<string, string>()
  const store: SentStore = {
    keep: async ({ key }, id) => void kept.set(key, id),
    find: async ({ key }) => kept.get(key) ?? null,
  }
  return { kept, store }
}

type Config = Omit<Parameters<typeof createHooks>[0]['config'], 'PUBLIC_ORIGIN'>

export async function serveHooks({ database }: JourneysWorld, config: Config) {
  const app = express()
  const databases = { app: database.app }
  app.use('/api/v1/hooks', createHooks({ config: { ...config, PUBLIC_ORIGIN: PUBLIC }, databases }))
  const site = createServer(app)
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  return {
    address: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
    stop: () => new Promise((done) => site.close(done)),
  }
}

/** Gives Uri the number, with consent to texts. */
export async function giveNumber(scope: Scope, user_id: number): Promise<void> {
  await scope.db.updateTable('users').set({ mobile_phone: NUMBER }).where('id', '=', user_id).execute()
  await recordConsent(scope, { number: NUMBER, user_id, action: 'opt_in', source: 'profile' })
}

export const takesTexts = async ({ db }: Scope, user_id: number): Promise<boolean> =>
  (await db.selectFrom('users').select('sms_opt_in').where('id', '=', user_id).executeTakeFirstOrThrow())
    .sms_opt_in
