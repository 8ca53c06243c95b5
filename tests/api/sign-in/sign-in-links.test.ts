/** Sign-in links in messages: for whom they are made, how often they work, and until when. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enterByLink, findEntry } from '#app/auth/link-entry.server.ts'
import { setOwnAccounts } from '#app/auth/own-accounts.server.ts'
import { setSecret } from '#app/auth/seal.server.ts'
import { findSession } from '#app/auth/sessions/sessions.server.ts'
import type { Accounts } from '#app/domain/account/accounts.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { settleConsent } from '#app/domain/sending/consent-change.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

const URI = '+436641234567'
let world: JourneysWorld
let preferred: 'SOFTWARE_TOKEN_MFA' | null
beforeAll(async () => {
  setSecret('a-secret-of-at-least-thirty-two-characters')
  setOwnAccounts({
    fetchMFAPreference: async () => ({ preferred, has_app: preferred !== null, phone: null }),
  } as unknown as Accounts)
  world = await createJourneysWorld()
})
afterAll(async () => {
  setOwnAccounts(undefined)
  await world?.drop()
})

const inAcme = inAcmeOf(() => world)
const change = (statement: ReturnType<typeof sql>) => inAcme(({ db }) => statement.execute(db))
const uri = () => world.people.uri.user_id

beforeEach(async () => {
  preferred = null
  await inAcme(async (scope) => {
    await scope.db.deleteFrom('journeys').execute()
    await sql`update users set timezone = ${zoneAt(13)}, activation_status = 'active',
      mobile_phone = case when id = ${uri()} then ${URI} end`.execute(scope.db)
    await settleConsent(scope, { number: URI, user_id: uri(), action: 'opt_out', source: 'profile' })
  })
  await world.must('adam', 'PUT', '/tenants/me/company', { sign_in_links: true })
})

async function sent(learners: Parameters<typeof world.draft>[0] = ['uri']) {
  const { id } = await world.draft(learners, { name: `L${Math.random()}`, channels: ['sms', 'email'] })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  const { taken, carriers } = createTestCarrier()
  await world.drain(carriers)
  return taken
}
async function setUpFactor(): Promise<void> {
  preferred = 'SOFTWARE_TOKEN_MFA'
  await change(sql`insert into user_identities (tenant_id, user_id, issuer, subject)
    select t.id, ${uri()}, p.issuer, 'uri-here' from tenants t join pools p on p.id = t.pool_id where t.id = ${world.acme}`)
}
const tokenIn = (text: string | undefined) => /[?&]k=([\w-]{22})(?![\w-])/.exec(text ?? '')?.[1]
async function newToken(): Promise<string> {
  const [message] = await sent()
  const token = tokenIn(message?.text)
  if (!token) throw new Error(`No link signs in: ${message?.text}`)
  return token
}
const request = (cookie = '') => new Request('https://learn.example/', { headers: { cookie } })
const enter = (token: string) => enterByLink(request(), token, world.database.app)
const look = (token: string) => findEntry(token, world.database.app)

describe('A link in a message', () => {
  it('has no sign-in token if the company has not allowed sign-in links', async () => {
    await world.must('adam', 'PUT', '/tenants/me/company', { sign_in_links: false })
    const [mail] = await sent()
    expect([mail?.channel, tokenIn(mail?.text)]).toEqual(['email', undefined])
  })

  it('has a token in e-mails and texts that is not stored as such, and offers the sign-in on every opening', async () => {
    const [mail] = await sent()
    await inAcme((scope) =>
      settleConsent(scope, { number: URI, user_id: uri(), action: 'opt_in', source: 'profile' }),
    )
    const text = (await sent())[0]
    expect([mail?.channel, text?.channel]).toEqual(['email', 'sms'])
    expect(text?.text).toMatch(/\/lift\/\d+\?m=\w+&k=[\w-]{22}$/)
    for (const message of [mail, text]) {
      const token = tokenIn(message?.text) ?? ''
      expect(message?.text.split(token)).toHaveLength(2)
      for (let i = 0; i < 3; i += 1)
        expect(await look(token)).toMatchObject({ kind: 'offer', first_name: 'Uri' })
      const { rows } = await inAcme(({ db }) =>
        sql<{ row: string }>`select l::text as row from sign_in_links l`.execute(db),
      )
      expect(JSON.stringify(rows)).not.toContain(token)
      expect(await enter(token)).not.toBeNull()
    }
  })

  it('signs the learner in once, for 12 hours, even if tapped twice, and the audit log says that a link did it', async () => {
    const token = await newToken()
    // A double tap sends two requests, and the browser shows the second answer.
    const both = await Promise.all([enter(token), enter(token)])
    const [, cookie] = both.map((one) => one?.[0])
    expect(both).not.toContain(null)
    await inAcme(({ db }) =>
      sql`update sign_in_links set used_on = used_on - interval '10 seconds'`.execute(db),
    )
    const session = await findSession(request(cookie?.split(';')[0]), world.database.app)
    expect(session?.principal.user_id).toBe(uri())
    expect((Number(session?.expires_at) - Date.now()) / 3_600_000).toBeCloseTo(12, 1)
    expect(await enter(token)).toBeNull()
    expect(await look(token)).toMatchObject({ kind: 'sign_in', email: world.people.uri.email })
    const log = await inAcme(({ db }) =>
      db
        .selectFrom('audit_events')
        .selectAll()
        .where('action', '=', 'user.signed_in')
        .orderBy('id')
        .execute(),
    )
    expect(JSON.stringify(log.at(-1))).toContain('"by":"link"')
  })

  it('does not work with a made-up token', async () => {
    for (const token of ['', 'x', 'A'.repeat(22), `${await newToken()}x`, "' or true --"])
      expect([await look(token), await enter(token)]).toEqual([null, null])
  })
})

describe('A sign-in link leads to the usual sign-in', () => {
  const restores: (() => Promise<unknown>)[] = []
  beforeEach(async () => {
    for (const restore of restores.splice(0)) await restore()
  })

  it.each<[string, () => Promise<unknown>, (() => Promise<unknown>)?]>([
    ['after a day', () => change(sql`update sign_in_links set expires_on = expires_on - interval '1 day'`)],
    [
      'after the company has turned sign-in links off',
      () => world.must('adam', 'PUT', '/tenants/me/company', { sign_in_links: false }),
    ],
    [
      'after the learner has become an author',
      () =>
        change(sql`insert into user_general_roles (tenant_id, user_id, role)
          values (${world.acme}, ${uri()}, 'author')`),
      () => change(sql`delete from user_general_roles where user_id = ${uri()} and role = 'author'`),
    ],
    [
      'after the learner has become a sponsor',
      () =>
        change(sql`insert into members (tenant_id, journey_id, user_id, role, state)
          select tenant_id, id, ${uri()}, 'sponsor', 'active' from journeys limit 1`),
    ],
    [
      'after the learner’s e-mail address has changed',
      () => change(sql`update users set email = 'uri.new@acme.example' where id = ${uri()}`),
      () => change(sql`update users set email = ${world.people.uri.email} where id = ${uri()}`),
    ],
    [
      'after the learner was signed out everywhere',
      () =>
        change(sql`insert into user_identities (tenant_id, user_id, issuer, subject, valid_after)
          values (${world.acme}, ${uri()}, 'https://id.example', 'uri', now() + interval '1 second')`),
      () => change(sql`delete from user_identities where issuer = 'https://id.example'`),
    ],
    [
      'after the learner has set up a second factor',
      setUpFactor,
      () => change(sql`delete from user_identities where subject = 'uri-here'`),
    ],
  ])('%s', async (_, happens, restore) => {
    const token = await newToken()
    if (restore) restores.push(restore)
    await happens()
    expect(await look(token)).toMatchObject({ kind: 'sign_in' })
    expect(await enter(token)).toBeNull()
    const { rows } = await inAcme(({ db }) =>
      sql<{ used: number }>`select count(used_on)::int as used from sign_in_links`.execute(db),
    )
    expect(rows).toEqual([{ used: 0 }])
  })

  it.each([
    ['a disabled account', sql`update users set activation_status = 'disabled' where first_name = 'Uri'`],
    ['an inactive company', sql`update tenants set status = 'inactive' where name = 'Acme'`],
  ])('without naming the learner, for %s', async (_, statement) => {
    const token = await newToken()
    restores.push(() =>
      inScope(world.database.app, { ...systemActor(world.acme), is_super_admin: true }, ({ db }) =>
        sql`update tenants set status = 'active' where name = 'Acme'`.execute(db),
      ),
    )
    await inScope(world.database.app, { ...systemActor(world.acme), is_super_admin: true }, ({ db }) =>
      statement.execute(db),
    )
    expect([await look(token), await enter(token)]).toEqual([null, null])
  })

  it('and is not sent to an administrator or an author', async () => {
    expect(
      (await sent(['adam', 'aya', 'uri'])).map(({ to, text }) => [to, tokenIn(text) !== undefined]).sort(),
    ).toEqual(
      [
        [world.people.adam.email, false],
        [world.people.aya.email, false],
        [world.people.uri.email, true],
      ].sort(),
    )
  })
})
