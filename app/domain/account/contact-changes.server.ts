/** Changing one's own address or number: the change takes effect only with the code sent there. */
import { randomUUID, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import { record } from '../audit/audit.server.ts'
import { maskEmail, maskPhone } from '../authenticator/mask.ts'
import { invalid, Refusal } from '../errors.ts'
import { atHome, type Scope } from '../scope/scope.server.ts'
import { EMAIL_TAKEN, unlessTaken } from '../unique-violation.server.ts'
import { findSelf } from '../users/current-user.server.ts'
import { digestOf } from './code.server.ts'
import { CODE_MINUTES, type ContactKind, type Contacts, ContactValue } from './contact-change.ts'
import { type Asking, hasOwnPassword, isEmbedded, requireOwnPassword } from './own-security.server.ts'

const MAX_SENDS = 5
const SENDS_WITHIN_MS = 60 * 60 * 1000
const MAX_GUESSES = 5
/** Within this time, a repeated request sends no second code. */
const SAME_ASKING_MS = 30_000
/** Within this time, a repeated confirmation succeeds again. */
const AGAIN_MS = 60_000
const WRONG = 'This code is wrong, or no longer valid.'

export const getContacts = (scope: Scope, asking: Asking): Promise<Contacts> =>
  atHome(scope, async (home) => {
    const self = await findSelf(home)
    const pending = await home.db
      .selectFrom('contact_changes')
      .select(['kind', 'value', 'expires_at'])
      .where('user_id', '=', self.id)
      .where('expires_at', '>', new Date())
      .orderBy('kind')
      .execute()
    return {
      email: self.email,
      may_change_email: await isEmbedded(home),
      needs_password: await hasOwnPassword(home, asking),
      mobile_phone: self.mobile_phone,
      phone_verified_on: self.phone_verified_on?.toISOString() ?? null,
      pending: pending.map(({ kind, value, expires_at }) => ({
        kind: kind as ContactKind,
        destination: kind === 'email' ? maskEmail(value) : maskPhone(value),
        expires_at: expires_at.toISOString(),
      })),
    }
  })

/** A repeated request after half a minute sends another code; only the last code is valid. */
export async function requestContactChange(
  scope: Scope,
  asking: Asking,
  { kind, value: typed, password }: { kind: ContactKind; value: string; password?: string | undefined },
): Promise<Contacts> {
  const parsed = ContactValue[kind].safeParse(typed)
  if (!parsed.success) throw invalid({ value: parsed.error.issues.map(({ message }) => message) })
  await requireOwnPassword(scope, asking, password)
  await atHome(scope, (home) => request(home, kind, parsed.data))
  return getContacts(scope, asking)
}

async function request(home: Scope, kind: ContactKind, value: string): Promise<void> {
  const { db, actor } = home
  const self = await findSelf(home, 'to change it')
  if (kind === 'email') await requireNewAddress(home, self.email, value)
  const before = await db
    .selectFrom('contact_changes')
    .select(['value', 'sent', 'failures', 'expires_at'])
    .where('user_id', '=', self.id)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst()
  if (before?.value === value && isOnItsWay(before)) return
  const recent = (before?.sent ?? []).filter((at) => at.getTime() > Date.now() - SENDS_WITHIN_MS)
  if (recent.length >= MAX_SENDS)
    throw new Refusal(429, 'Too many codes were sent; please wait an hour.', { retryAfter: 3600 })
  const fresh = {
    value,
    code_digest: null,
    failures: 0,
    sent: [...recent, new Date()],
    expires_at: new Date(Date.now() + CODE_MINUTES * 60_000),
  }
  const { id } = await db
    .insertInto('contact_changes')
    .values({ ...fresh, tenant_id: actor.tenant_id, user_id: self.id, kind })
    .onConflict((clash) => clash.columns(['tenant_id', 'user_id', 'kind']).doUpdateSet(fresh))
    .returning('id')
    .executeTakeFirstOrThrow()
  const payload = { tenant_id: actor.tenant_id, change_id: id, nonce: randomUUID() }
  await addJob(db, 'send-contact-code', payload, {
    key: `send-contact-code:${id}`,
    carrier: kind === 'email' ? 'email' : 'sms',
  })
  await record(home, `${kind}_change.requested`, { type: 'user', id: self.id })
}

const isOnItsWay = (change: { sent: Date[]; failures: number; expires_at: Date }): boolean =>
  Number(change.sent.at(-1) ?? 0) > Date.now() - SAME_ASKING_MS &&
  change.failures < MAX_GUESSES &&
  change.expires_at > new Date()

/**
 * A taken address is not refused here: only a mail to that address says so, so nobody can probe who has an account.
 */
async function requireNewAddress(home: Scope, own: string, wanted: string): Promise<void> {
  if (!(await isEmbedded(home)))
    throw new Refusal(409, 'Your company manages your address in its own sign-in.')
  if (own.toLowerCase() === wanted) throw invalid({ value: ['This is your address already.'] })
}

/** Returns the error instead of throwing it: a refusal would roll back the count of wrong guesses. */
export const confirmContactChange = (scope: Scope, kind: ContactKind, code: string): Promise<string | null> =>
  atHome(scope, async (home) => {
    const { db, actor } = home
    const change = await db
      .selectFrom('contact_changes')
      .selectAll()
      .where('user_id', '=', actor.user_id)
      .where('kind', '=', kind)
      .where('failures', '<', MAX_GUESSES)
      .forUpdate()
      .executeTakeFirst()
    const isDone = change?.sent.length === 0
    const until = (change?.expires_at.getTime() ?? 0) + (isDone ? AGAIN_MS : 0)
    if (!change?.code_digest || until <= Date.now()) return WRONG
    if (!timingSafeEqual(change.code_digest, await digestOf(change.id, code))) {
      const failures = change.failures + 1
      await db.updateTable('contact_changes').set({ failures }).where('id', '=', change.id).execute()
      return WRONG
    }
    // A second submit of the same form: the first has made the change.
    if (isDone) return null
    const done = { sent: [], expires_at: new Date() }
    await db.updateTable('contact_changes').set(done).where('id', '=', change.id).execute()
    if (kind === 'email') await changeAddress(home, change.value)
    else await changeNumber(home, change.value)
    return null
  })

async function changeAddress(home: Scope, email: string): Promise<void> {
  const self = await findSelf(home)
  await unlessTaken({ users_email: ['code', EMAIL_TAKEN], users_email_domain: ['code', EMAIL_TAKEN] }, () =>
    home.db
      .updateTable('users')
      .set({ email, updated_on: new Date(), lock_version: sql`lock_version + 1` })
      .where('id', '=', self.id)
      .execute(),
  )
  const payload = {
    tenant_id: home.actor.tenant_id,
    user_id: self.id,
    former: self.email,
    nonce: randomUUID(),
  }
  await addJob(home.db, 'change-address', payload, { key: `change-address:${self.id}` })
  await record(home, 'email.changed', { type: 'user', id: self.id })
}

/** Consent is given for a number, not for a person. */
async function changeNumber(home: Scope, mobile_phone: string): Promise<void> {
  const self = await findSelf(home)
  await home.db
    .updateTable('users')
    .set({
      mobile_phone,
      phone_verified_on: new Date(),
      ...(self.mobile_phone === mobile_phone ? {} : { sms_opt_in: false }),
      updated_on: new Date(),
      lock_version: sql`lock_version + 1`,
    })
    .where('id', '=', self.id)
    .execute()
  await record(home, 'phone.verified', { type: 'user', id: self.id })
}
