/** How messages leave the building, whoever carries them. */

/** `key` is the sender's: the same key is the same message, however often it is handed over. */
export type Message = {
  tenant_id: string
  key: string
  channel: 'sms' | 'email'
  to: string
  /** Of an e-mail. */
  subject: string
  text: string
}

/** The carrier took the message; `delivered` where it knows at once that it arrived. */
export type Receipt = { provider_id: string; delivered?: boolean }

/**
 * - `refused`: surely not taken, and never will be. With the code `opted_out` or `invalid_number` the carrier speaks
 *   of the number, not of this message.
 * - `busy`: surely not taken; another try makes sense, after `retryAfter` seconds if it says so.
 * - `unclear`: nobody knows. Every other error of a carrier counts as this.
 */
export class CarrierError extends Error {
  readonly outcome: 'refused' | 'busy' | 'unclear'
  readonly code: string
  readonly retryAfter: number | undefined

  constructor(outcome: CarrierError['outcome'], code: string, retryAfter?: number) {
    super(`${outcome}: ${code}`)
    this.name = 'CarrierError'
    this.outcome = outcome
    this.code = code
    this.retryAfter = retryAfter
  }
}

export type Carrier = {
  send(message: Message): Promise<Receipt>
  /** What became of a message; null when the carrier never got it. */
  find(message: Pick<Message, 'tenant_id' | 'key'>): Promise<Receipt | null>
  /** Whether handing over the same key twice sends once. */
  readonly sendsOncePerKey: boolean
}

export type Carriers = { sms: Carrier; email: Carrier }
