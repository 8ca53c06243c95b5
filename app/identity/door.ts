/** The dependencies of all code that signs people in, and the platform behind it. */
import type { Pool } from 'pg'
import type { Attempts } from './attempts.server.ts'
import type { Codes } from './factors/codes.server.ts'
import type { Passwords } from './factors/passwords.server.ts'
import type { Totp } from './factors/totp.server.ts'
import type { Letter, Message } from './messages.ts'
import type { EmbeddedPool, Rules } from './pools.ts'
import type { User } from './users.server.ts'

/** What the platform decides and does for the provider. */
export type House = {
  deliver(message: Message): Promise<void>
  /** Whether the account belongs to a person of the platform, active or not. */
  hasPerson(account: { pool: string; sub: string }): Promise<boolean>
  requiresMfa(account: { pool: string; sub: string }): Promise<boolean>
  /** Gives a person who signed up a place in a company; throws while there is none. */
  admit(account: {
    pool: string
    sub: string
    email: string
    attributes: Record<string, string>
  }): Promise<void>
  /** Takes over the names that an invited person entered with their first password. */
  takeNames(account: { pool: string; sub: string; attributes: Record<string, string> }): Promise<void>
  /** Whether the owner of this address may sign up; the same answer for known and unknown ones. */
  maySignUp(wish: { pool: string; email: string }): Promise<boolean>
  /** The company's name, where a visitor who typed this address may read it. */
  companyOf(visit: { pool: string; email: string }): Promise<string | null>
  /** A time in words, in this person's zone. */
  sayWhen(account: { pool: string; sub: string }, at: Date): Promise<string>
}

export type Doorkeeper = {
  database: Pool
  attempts: Attempts
  passwords: Passwords
  codes: Codes
  totp: Totp
  house: House
  login_address: string
  /** Sends after the response, so that response times do not reveal who has an account. */
  send(user: User, to: Pick<Message, 'channel' | 'recipient'>, letter: Letter): void
  later(work: () => Promise<void>): void
  reinvite(user: User): Promise<{ link: string; temporary_until: Date }>
}

export type Visit = { pool: EmbeddedPool; rules: Rules; ip: string }
