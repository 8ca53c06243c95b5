/** Texts as Twilio delivers them, signed as it signs: the address, followed by every field in the order of names. */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Hooks } from '#app/integrations/hooks.server.ts'
import { TOKEN } from './twilio-server.ts'

const PATH = '/api/v1/hooks/sms/inbound'

/** `at`: the address where the product listens; `origin`: its public address, which is signed. */
export async function tellText(at: string, origin: string, fields: Record<string, string>): Promise<number> {
  const all = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
  const signed = `${origin}${PATH}${all.map(([name, value]) => name + value).join('')}`
  const { status } = await fetch(`${at}${PATH}`, {
    method: 'POST',
    headers: { 'x-twilio-signature': createHmac('sha1', TOKEN).update(signed).digest('base64') },
    body: new URLSearchParams(fields),
  })
  return status
}

/** Calls hooks that listen on no port. */
export const tellHooks =
  (hooks: Hooks, origin: string) =>
  async (fields: Record<string, string>): Promise<number> => {
    const server = createServer(express().use('/api/v1/hooks', hooks))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    try {
      return await tellText(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, origin, fields)
    } finally {
      server.close()
    }
  }
