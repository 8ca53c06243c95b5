/** What everybody who lets people in works with. */
import type { Pool } from 'pg'
import type { Attempts } from './attempts.server.ts'
import type { Codes } from './factors/codes.server.ts'
import type { Passwords } from './factors/passwords.server.ts'
import type { Totp } from './factors/totp.server.ts'
import type { Letter, Message } from './messages.ts'
import type { EmbeddedPool, Rules } from './pools.ts'
import type { User } from './users.server.ts'

/** What the platform decides and does for this room. */
export type House = {
  deliver(message: Message): Promise<void>
  /** Whether the account is somebody's, in use or not. */
  hasPerson(account: { pool: string; sub: string }): Promise<boolean>
  requiresMfa(account: { pool: string; sub: string }): Promise<boolean>
  /** Gives somebody who signed up a place in a company; fails as long as there is none. */
  admit(account: {
    pool: string
    sub: string
    email: string
    attributes: Record<string, string>
  }): Promise<void>
  /** What somebody who was invited said of themselves with their first password. */
  takeNames(account: { pool: string; sub: string; attributes: Record<string, string> }): Promise<void>
  /** Whether the owner of this address may make an account by themselves; the same for known and unknown ones. */
  maySignUp(wish: { pool: string; email: string }): Promise<boolean>
  /** Whose sign-in it is, where whoever typed this address may read it. */
  companyOf(visit: { pool: string; email: string }): Promise<string | null>
  /** A time in words, on the clock of this person. */
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
  /** Sends after the answer has left: what takes time then, tells nobody who has an account. */
  send(user: User, to: Pick<Message, 'channel' | 'recipient'>, letter: Letter): void
  later(work: () => Promise<void>): void
  reinvite(user: User): Promise<{ link: string; temporary_until: Date }>
}

export type Visit = { pool: EmbeddedPool; rules: Rules; ip: string }
