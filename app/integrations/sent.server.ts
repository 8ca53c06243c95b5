/** Records which messages a real carrier has taken, for carriers that cannot be asked by our key. */
import type { Message } from './carrier.ts'

type Known = Pick<Message, 'tenant_id' | 'key'>

export type SentStore = {
  /** Never fails, because the message has been sent. */
  keep(message: Known, provider_id: string): Promise<void>
  /** The carrier's id of the message; null when, as far as we know, it was never taken. */
  find(message: Known): Promise<string | null>
}
