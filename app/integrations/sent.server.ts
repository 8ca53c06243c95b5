/** Which messages a real carrier has taken, for carriers that cannot be asked by our key. */
import type { Message } from './carrier.ts'

type Known = Pick<Message, 'tenant_id' | 'key'>

export type SentStore = {
  /** Never fails: the message has left. */
  keep(message: Known, provider_id: string): Promise<void>
  /** The carrier's own name for it; null when it was never taken, as far as we know. */
  find(message: Known): Promise<string | null>
}
