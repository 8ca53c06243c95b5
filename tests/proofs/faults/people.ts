/** The product's users during the proof: people of the demo with sessions and tokens, and thousands of learners. */
import type pg from 'pg'
import { hashOf, unsealTokens } from '#app/auth/sessions/session-store.server.ts'
import { readAccounts } from '#tests/support/process.ts'
import { Visitor } from '#tests/support/visitor.ts'

export type Person = {
  email: string
  user_id: number
  page: Record<string, string>
  api: Record<string, string>
}
export type Learner = { user_id: number; channel: 'email' | 'sms'; address: string }

/** Signs in through the screens; calls then use the session's token. */
export async function signIn(
  admin: pg.Client,
  dataDir: string,
  origin: string,
  email: string,
): Promise<Person> {
  const account = readAccounts(dataDir).find((one) => one.email === email)
  if (!account) throw new Error(`${email} has no account in the demo.`)
  const visitor = new Visitor(origin)
  // Remembered, because a proof may move the clock by days.
  await visitor.signIn(account.email, account.password, { remember: true })
  const id = hashOf(visitor.cookies.get('__Host-liftwell') ?? '')
  const { rows } = await admin.query<{ tokens_sealed: string; tenant_id: string; user_id: string }>(
    'select tokens_sealed, tenant_id, user_id from sessions where id_hash = $1',
    [id],
  )
  const [session] = rows
  const token = session && unsealTokens(session.tokens_sealed, id)?.access_token
  if (!session || !token) throw new Error(`${email} has no session.`)
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return {
    email,
    user_id: Number(session.user_id),
    page: { cookie },
    api: {
      authorization: `Bearer ${token}`,
      'x-tenant-id': session.tenant_id,
      'content-type': 'application/json',
    },
  }
}

/**
 * People of the author's company, every second one with a number that takes texts, in these zones in turn; null: no
 * zone known. By default it is about noon for them, so that their messages never wait for the end of quiet hours.
 */
export async function makeLearners(
  admin: pg.Client,
  author: string,
  count: number,
  zones: readonly (string | null)[] = [zoneAtNoon()],
): Promise<Learner[]> {
  const { rows } = await admin.query<{ user_id: string; email: string; mobile_phone: string | null }>(
    `with author as (select tenant_id from users where email = $1), made as (
       insert into users (tenant_id, email, first_name, last_name, timezone, activation_status, accepted_terms_on,
         mobile_phone, sms_opt_in)
       select tenant_id, 'learner-' || n || '@faults.liftwell-proof.net', 'Learner', n::text,
         ($2::text[])[1 + n % cardinality($2::text[])], 'active', now(),
         case when n % 2 = 0 then '+3161' || lpad(n::text, 7, '0') end, n % 2 = 0
       from author, generate_series(1, $3::int) n
       returning tenant_id, id, email, mobile_phone),
     roles as (insert into user_general_roles (tenant_id, user_id, role) select tenant_id, id, 'user' from made),
     consents as (insert into consent_events (tenant_id, number, user_id, action, source, wording_id)
       select tenant_id, mobile_phone, id, 'opt_in', 'profile', 'sms-2026-1' from made where mobile_phone is not null)
     select id as user_id, email, mobile_phone from made order by id`,
    [author, zones, count],
  )
  return rows.map(({ user_id, email, mobile_phone }) => ({
    user_id: Number(user_id),
    channel: mobile_phone ? 'sms' : 'email',
    address: mobile_phone ?? email,
  }))
}

/** `Etc/GMT+5` is five hours behind. */
function zoneAtNoon(): string {
  const behind = new Date().getUTCHours() - 12
  return behind === 0 ? 'Etc/GMT' : `Etc/GMT${behind > 0 ? `+${behind}` : behind}`
}
