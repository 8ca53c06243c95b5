/** The carrier of a platform that has none: messages stay in its own database, where the testing area shows them. */
import type { Carrier, Carriers, Message } from '#app/integrations/carrier.ts'
import { doTogether } from '../together.ts'
import type { OutboxFolder } from './outbox-folder.server.ts'

/** Stores the messages. `write` stores each key once and returns, in order, the ids, new or old. */
export type OutboxStore = {
  write(tenantId: string, messages: readonly Message[]): Promise<{ id: number; isNew: boolean }[]>
  find(message: Pick<Message, 'tenant_id' | 'key'>): Promise<number | null>
}

export function createOutbox(store: OutboxStore, folder?: OutboxFolder): Carriers {
  const receipt = (id: number) => ({ provider_id: `outbox:${id}`, delivered: true })
  const keep = doTogether(async (tenantId, messages: readonly Message[]) => {
    const written = await store.write(tenantId, messages)
    const fresh = messages.flatMap((message, index) => {
      const { id, isNew } = written[index] ?? { id: 0, isNew: false }
      return isNew ? [{ message, id }] : []
    })
    await folder?.keep(fresh)
    return written.map(({ id }) => receipt(id))
  })
  const carrier: Carrier = {
    sendsOncePerKey: true,
    hearsReplies: true,
    send: (message) => keep(message.tenant_id, message),
    async find(message) {
      const id = await store.find(message)
      return id === null ? null : receipt(id)
    },
  }
  return { sms: carrier, email: carrier }
}
