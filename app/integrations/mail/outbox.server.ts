/** The carrier of a platform that has none: messages stay in its own database, where the Testing area shows them. */
import type { Carrier, Carriers, Message } from '#app/integrations/carrier.ts'
import type { OutboxFolder } from './outbox-folder.server.ts'

/** Where the messages are kept. `write` stores a key once and answers with the id it has, new or old. */
export type OutboxStore = {
  write(message: Message): Promise<number>
  find(message: Pick<Message, 'tenant_id' | 'key'>): Promise<number | null>
}

export function createOutbox(store: OutboxStore, folder?: OutboxFolder): Carriers {
  const receipt = (id: number) => ({ provider_id: `outbox:${id}`, delivered: true })
  const carrier: Carrier = {
    sendsOncePerKey: true,
    hearsReplies: true,
    async send(message) {
      const isNew = folder !== undefined && (await store.find(message)) === null
      const id = await store.write(message)
      if (isNew) await folder.keep(message, id)
      return receipt(id)
    },
    async find(message) {
      const id = await store.find(message)
      return id === null ? null : receipt(id)
    },
  }
  return { sms: carrier, email: carrier }
}
