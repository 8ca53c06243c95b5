/** How messages leave the building, whoever carries them. */

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
  /** It speaks of the carrier, not of this message: the next one would fare no better. */
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
  /** Stands in its text, and in that of no other message. */
  link: string
  since: Date
}

/** `absent`: surely never taken, so it may be handed over again. `unclear`: not now, but it may be asked again. */
export type Fate =
  | { outcome: 'taken'; receipt: Receipt }
  | { outcome: 'undelivered'; provider_id: string; code: string | null }
  | { outcome: 'absent' | 'unclear' }

export type Circuit = {
  /** How many messages may be with it at a time, those that hang among them; 0 while it is away. */
  limit(): number
  isOpen(): boolean
  /** Ends the calls that wait for an answer, as `unclear`. */
  stop(): void
}

export type Carrier = {
  /** Of a carrier outside the building: which one, and whose account there. Where it changes, another is asked. */
  readonly name?: string
  /** Are configured and carry nothing now: what they were handed before can be looked up there. */
  readonly others?: readonly Pick<Carrier, 'name' | 'lookUp'>[]
  readonly circuit?: Circuit
  send(message: Message): Promise<Receipt>
  /** What we know of a message ourselves; null when we never learnt that the carrier got it. */
  find(message: Pick<Message, 'tenant_id' | 'key'>): Promise<Receipt | null>
  /** Asks the carrier; without it nobody can be asked. */
  lookUp?(lost: Lost): Promise<Fate>
  /** Whether what people reply comes in. */
  readonly hearsReplies?: boolean
  /** Whether handing over the same key twice sends once. */
  readonly sendsOncePerKey: boolean
}

export type Carriers = { sms: Carrier; email: Carrier }
