/** What a story cannot do in a browser: let time pass, and put accounts into rare states. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { BY_DAY } from '../support/by-day.ts'
import { withAdmin } from '../support/postgres.ts'

/** The database of the product under test, as its superuser. */
const query = <Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> =>
  withAdmin(
    process.env.E2E_ADMIN_URL ?? '',
    async (client) => (await client.query<Row>(statement, values)).rows,
  )

/** Moves a person into a zone where it is day, since assessments do not open at night. */
export const liveByDay = (email: string) =>
  query('update users set timezone = $1 where email = $2', [BY_DAY, email])

/** The text of the latest message to a recipient. */
export async function latestMessage(recipient: string): Promise<string> {
  for (let i = 0; i < 300; i += 1) {
    const [message] = await query<{ body: string }>(
      'select body from outbox_messages where recipient = $1 order by id desc limit 1',
      [recipient],
    )
    if (message) return message.body
    await sleep(100)
  }
  throw new Error(`Nothing was sent to ${recipient}.`)
}

export async function latestCode(recipient: string): Promise<string> {
  const code = /\b\d{6}\b/.exec(await latestMessage(recipient))?.[0]
  if (!code) throw new Error(`The latest message to ${recipient} has no code.`)
  return code
}

export const letCodesExpire = () => query('update identity.codes set expires_at = now()')
export const letAnHourPass = () =>
  query(`update identity.codes set sent = array(select at - interval '1 hour' from unnest(sent) as at)`)
export const forgiveGuesses = () => query('delete from identity.attempts')

/** Removes the company's requirement: an administrator without a second factor could not undo it. */
export const wantNoSecondFactor = () =>
  query(`update tenants set settings = settings - 'admins_need_second_factor'`)

/** Changes an account of the embedded pool directly. */
export const changeAccount = (username: string, set: string) =>
  query(`update identity.users set ${set} where username = $1`, [username])

/** Restores the person's password after the story, for the next one. */
export async function keepingPassword(username: string, story: () => Promise<void>): Promise<void> {
  const [account] = await query<{ password_hash: string }>(
    'select password_hash from identity.users where username = $1',
    [username],
  )
  await story()
  await query('update identity.users set password_hash = $2 where username = $1', [
    username,
    account?.password_hash,
  ])
}

type Elsewhere = { id: string; issuer: string; client_id: string; settings: object }

/** A company whose people sign in on our screens at a Cognito user pool, and a person it has invited. */
export async function addCompanyAt(pool: Elsewhere, email: string): Promise<void> {
  const { id, issuer, client_id, settings } = pool
  await query(
    `insert into pools (id, name, kind, login_mode, issuer, client_id, settings)
     values ($1, $2, 'cognito', 'screens', $3, $4, '{}')`,
    [id, id, issuer, client_id],
  )
  const [tenant] = await query<{ id: string }>(
    'insert into tenants (name, pool_id) values ($1, $2) returning id',
    [id, id],
  )
  const sign_up = { tenant_id: tenant?.id }
  await query('update pools set settings = $2 where id = $1', [id, JSON.stringify({ ...settings, sign_up })])
  const [user] = await query<{ id: number }>(
    `insert into users (tenant_id, email, first_name, activation_status) values ($1, $2, 'Ivy', 'invited')
     returning id`,
    [tenant?.id, email],
  )
  await query(`insert into user_general_roles (tenant_id, user_id, role) values ($1, $2, 'user')`, [
    tenant?.id,
    user?.id,
  ])
}

export const closeLift = (id = '') =>
  query('update occurrences set closes_at = now() where lift_id = $1', [id])

/** The text of the latest message to a recipient that contains these words. */
export async function messageSaying(recipient: string, words: string): Promise<string> {
  for (let i = 0; i < 300; i += 1) {
    const [message] = await query<{ body: string }>(
      'select body from outbox_messages where recipient = $1 and position($2 in body) > 0 order by id desc limit 1',
      [recipient, words],
    )
    if (message) return message.body
    await sleep(100)
  }
  throw new Error(`Nothing with “${words}” was sent to ${recipient}.`)
}

/** Moves a person into a zone where it is early afternoon, whenever the story runs. */
export const makeItDayFor = (email: string) => {
  const ahead = 13 - new Date().getUTCHours()
  const zone = ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
  return moveTo(email, zone)
}

export const moveTo = (email: string, zone: string) =>
  query('update users set timezone = $2 where email = $1', [email, zone])

/** Makes a person new: without a zone and without accepted terms. */
export const makeNew = (email: string) =>
  query('update users set timezone = null, accepted_terms_on = null where email = $1', [email])

/** Gives a person texts, and their company sign-in links; restores both afterwards. */
export async function withTextsAndLinks(
  email: string,
  number: string,
  story: () => Promise<void>,
): Promise<void> {
  const [person] = await query<{ tenant_id: string; mobile_phone: string | null }>(
    'select tenant_id, mobile_phone from users where email = $1',
    [email],
  )
  const { tenant_id, mobile_phone } = person ?? { tenant_id: '', mobile_phone: null }
  const change = (phone: string | null, links: boolean) =>
    Promise.all([
      query('update users set mobile_phone = $2::text, sms_opt_in = $2::text is not null where email = $1', [
        email,
        phone,
      ]),
      query('update tenants set settings = settings || $2 where id = $1', [
        tenant_id,
        JSON.stringify({ sign_in_links: links }),
      ]),
    ])
  await change(number, true)
  await query(
    `insert into consent_events (tenant_id, number, user_id, action, source)
     select tenant_id, mobile_phone, id, 'opt_in', 'profile' from users where email = $1`,
    [email],
  )
  try {
    await story()
  } finally {
    await change(mobile_phone, false)
  }
}
