/** What every carrier of messages has in common. */

/** `key` is the sender's: the same key is the same message, however often it is handed over. */
export type Message = {
  tenant_id: string
  key: string
  channel: 'sms' | 'email'
  to: string
  subject: string
  text: string
  letter?: Letter | undefined
  letterhead?: Letterhead | undefined
}

export type LetterLink = { label: string; url: string }
export type Words = string | readonly (string | LetterLink)[]
export type Letter = {
  words: Words
  button?: LetterLink | undefined
  note?: Words | undefined
  why: Words
  unsubscribe?: string | undefined
}

export type Letterhead = { company: string; logo: { bytes: Buffer; content_type: string } | null }

/** The carrier took the message; `delivered` when it knows at once that the message arrived. */
export type Receipt = { provider_id: string; delivered?: boolean }

/**
 * - `refused`: certainly not taken, and a retry is useless. The codes `opted_out` and `invalid_number` concern the
 *   number, not this message.
 * - `busy`: certainly not taken; retry, after `retryAfter` seconds if given.
 * - `unclear`: it may or may not have been taken. Every other error of a carrier counts as this.
 */
export class CarrierError extends Error {
  readonly outcome: 'refused' | 'busy' | 'unclear'
  readonly code: string
  readonly retryAfter: number | undefined
  /** The error concerns the carrier, not this message: the next one would fare no better. */
  readonly isOutage: boolean

  constructor(outcome: CarrierError['outcome'], code: string, retryAfter?: number, isOutage = false) {
    super(`${outcome}: ${code}`)
    this.name = 'CarrierError'
    this.outcome = outcome
    this.code = code
    this.retryAfter = retryAfter
    this.isOutage = isOutage
  }
}

/** A message of which nobody knows whether the carrier took it. */
export type Lost = Pick<Message, 'tenant_id' | 'key' | 'to'> & {
  /** A link that is in this message's text and in no other. */
  link: string
  since: Date
}

/** `absent`: certainly not taken, so it may be sent again. `unclear`: not known yet; ask again later. */
export type Fate =
  | { outcome: 'taken'; receipt: Receipt }
  | { outcome: 'undelivered'; provider_id: string; code: string | null }
  | { outcome: 'absent' | 'unclear' }

export type Circuit = {
  /** How many messages it may hold at once, including ones that hang; 0 while it is away. */
  limit(): number
  isOpen(): boolean
  /** Ends calls that wait for an answer, as `unclear`. */
  stop(): void
}

export type Carrier = {
  /** An external carrier, and whose account there. Messages sent under another name are looked up at `others`. */
  readonly name?: string
  /** Carriers that are configured but not in use: what they got before can still be looked up there. */
  readonly others?: readonly Pick<Carrier, 'name' | 'lookUp'>[]
  readonly circuit?: Circuit
  send(message: Message): Promise<Receipt>
  /** What we know of a message ourselves; null when we never learned that the carrier took it. */
  find(message: Pick<Message, 'tenant_id' | 'key'>): Promise<Receipt | null>
  /** Asks the carrier; absent where a carrier cannot be asked. */
  lookUp?(lost: Lost): Promise<Fate>
  /** Whether people's replies reach us. */
  readonly hearsReplies?: boolean
  /** Whether handing over the same key twice sends once. */
  readonly sendsOncePerKey: boolean
}

export type Carriers = { sms: Carrier; email: Carrier }
