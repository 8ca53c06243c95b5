import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, openSite, POOL, type Site, Visitor } from './identity-site.ts'

const password = 'correct horse battery staple'
const WRONG = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' }
const LOCKED = { name: 'NotAuthorizedException', message: 'Password attempts exceeded' }
const LIMITED = {
  name: 'LimitExceededException',
  message: 'Attempt limit exceeded, please try after some time.',
}

let site: Site
let store: Site['store']

beforeAll(async () => {
  site = await openSite()
  store = site.store
})
afterAll(() => site.close())

let people = 0
async function someone(): Promise<string> {
  people += 1
  const email = `person-${people}@acme.example`
  await site.identity.admin.setPassword({ pool: POOL, email, password })
  return email
}

async function guess(username: string, guessed: string, visitor = new Visitor(site)): Promise<Answer> {
  await visitor.start()
  return visitor.answer('signIn', { username, password: guessed })
}

/** Lets time pass for all attempt counters. */
const wait = (interval: string) =>
  store.query(
    `update identity.attempts set locked_until = locked_until - $1::interval, updated_on = updated_on - $1::interval,
       recent = array(select at - $1::interval from unnest(recent) as at),
       accounts = (select coalesce(jsonb_object_agg(key, (value #>> '{}')::timestamptz - $1::interval), '{}')
         from jsonb_each(accounts))`,
    [interval],
  )

/** For how many seconds the last failure locked its account. */
async function latestLock(): Promise<number> {
  const { rows } = await store.query<{ seconds: number }>(
    `select extract(epoch from locked_until - updated_on)::int as seconds from identity.attempts
     where locked_until is not null order by updated_on desc limit 1`,
  )
  return rows[0]?.seconds ?? 0
}

describe('Guessing', { timeout: 180_000 }, () => {
  it('locks an account after five failures, first for one second, then for twice as long each time', async () => {
    const email = await someone()
    for (let i = 0; i < 5; i += 1) expect(await guess(email, 'wrong')).toEqual(WRONG)
    for (const seconds of [1, 2, 4, 8, 16]) {
      expect(await latestLock()).toBe(seconds)
      if (seconds > 2) expect(await guess(email, password)).toEqual(LOCKED)
      await wait(`${seconds} seconds`)
      expect(await guess(email, 'wrong')).toEqual(WRONG)
    }
    // Ten guesses are allowed in a quarter of an hour, so even after the lock of 32 seconds the eleventh is refused.
    await wait('33 seconds')
    expect(await guess(email, password)).toEqual(LOCKED)
    await wait('15 minutes')
    expect(await guess(email, password)).toMatchObject({ step: 'DONE' })
    expect(await guess(email, 'wrong')).toEqual(WRONG)
  })

  it('from another address does not lock a person out at an address where they recently signed in', async () => {
    const email = await someone()
    const from = (ip: string) => new Visitor(site, ip)
    expect(await guess(email, password, from('10.1.0.1'))).toMatchObject({ step: 'DONE' })
    for (let i = 0; i < 11; i += 1) {
      await guess(email, 'wrong', from('10.2.0.1'))
      await wait('9 seconds')
    }
    expect(await guess(email, password, from('10.3.0.1'))).toEqual(LOCKED)
    expect(await guess(email, password, from('10.1.0.1'))).toMatchObject({ step: 'DONE' })
    // Wrong guesses from the known address count too.
    for (let i = 0; i < 6; i += 1) await guess(email, 'wrong', from('10.1.0.1'))
    expect(await guess(email, password, from('10.1.0.1'))).toEqual(LOCKED)
  })

  it('never locks an account for longer than 15 minutes', async () => {
    const email = await someone()
    for (let i = 0; i < 20; i += 1) {
      await guess(email, 'wrong')
      await wait('15 minutes 1 second')
    }
    expect(await guess(email, password)).toMatchObject({ step: 'DONE' })
  })

  it('forty times at the same moment gets at most five guesses checked', async () => {
    const email = await someone()
    const visitors = Array.from({ length: 40 }, () => new Visitor(site))
    await Promise.all(visitors.map((visitor) => visitor.start()))
    const answers = await Promise.all(
      visitors.map((visitor) => visitor.answer('signIn', { username: email, password: 'wrong' })),
    )
    expect(answers.filter(({ message }) => message === WRONG.message).length).toBeLessThanOrEqual(5)
    expect(answers.filter(({ message }) => message === LOCKED.message).length).toBeGreaterThanOrEqual(35)
  })

  /** Guesses at as many accounts as one address is allowed; the answers do not reveal which of them exist. */
  async function crowd(ip: string): Promise<void> {
    for (let i = 0; i < 30; i += 1)
      expect(await guess(`nobody-${i}@acme.example`, 'wrong', new Visitor(site, ip))).toEqual(WRONG)
  }

  it('at one account, however often, does not stop other people at the same address', async () => {
    const [victim, other] = [await someone(), await someone()]
    const ip = '192.0.2.30'
    const answers = new Set<string | undefined>()
    for (let i = 0; i < 60; i += 1)
      answers.add((await guess(victim, `wrong ${i}`, new Visitor(site, ip))).message)
    expect([...answers]).toEqual([WRONG.message, LOCKED.message])
    expect(await guess(other, password, new Visitor(site, ip))).toMatchObject({ step: 'DONE' })
  })

  it('at locked accounts, however many, does not count against the address', async () => {
    const ip = '192.0.2.31'
    const locked = await Promise.all(Array.from({ length: 35 }, someone))
    for (const email of locked) for (let i = 0; i < 5; i += 1) await guess(email, 'wrong')
    await store.query(`update identity.attempts set locked_until = now() + interval '1 minute'
      where failures >= 5`)
    for (const email of locked) expect(await guess(email, 'wrong', new Visitor(site, ip))).toEqual(LOCKED)
    expect(await guess(await someone(), password, new Visitor(site, ip))).toMatchObject({ step: 'DONE' })
  })

  it('at thirty accounts limits that address alone, except for people who have signed in from it before', async () => {
    const [stranger, neighbor, colleague] = [await someone(), await someone(), await someone()]
    const ip = '2001:db8:7:7:1::1'
    expect(await guess(colleague, password, new Visitor(site, ip))).toMatchObject({ step: 'DONE' })
    await crowd(ip)
    // One guess is checked every ten seconds, and its answer equals that of an unchecked one.
    expect(await guess('somebody@acme.example', 'wrong', new Visitor(site, ip))).toEqual(LIMITED)
    for (let i = 0; i < 5; i += 1)
      expect(await guess(stranger, password, new Visitor(site, ip))).toEqual(LIMITED)
    expect(await guess(neighbor, password, new Visitor(site, '2001:db8:7:7:ffff::2'))).toEqual(LIMITED)
    expect(await guess(stranger, password, new Visitor(site, '2001:db8:7:8::1'))).toMatchObject({
      step: 'DONE',
    })
    // A person who has signed in from that address before gets in at once.
    expect(await guess(colleague, 'wrong', new Visitor(site, ip))).toEqual(LIMITED)
    expect(await guess(colleague, password, new Visitor(site, ip))).toMatchObject({ step: 'DONE' })
    await wait('10 seconds')
    expect(await guess(neighbor, password, new Visitor(site, ip))).toMatchObject({ step: 'DONE' })
    await wait('10 minutes')
    for (const name of ['new@acme.example', 'newer@acme.example'])
      expect(await guess(name, 'wrong', new Visitor(site, ip))).toEqual(WRONG)
  })

  it('at sixty accounts from one address is stopped after thirty of them', async () => {
    const ip = '192.0.2.33'
    const owners = await Promise.all(Array.from({ length: 4 }, someone))
    const answers: (string | undefined)[] = []
    for (let i = 0; i < 60; i += 1)
      answers.push((await guess(`stuffed-${i}@acme.example`, 'wrong', new Visitor(site, ip))).message)
    expect(answers.filter((message) => message === WRONG.message)).toHaveLength(30)
    for (const email of owners) {
      await store.query(`update identity.attempts set locked_until = now() + interval '10 seconds'
        where locked_until is not null`)
      expect(await guess(email, password, new Visitor(site, ip))).toEqual(LIMITED)
    }
  })

  it('is not assumed after 35 successful sign-ins from one address', async () => {
    const email = await someone()
    for (let i = 0; i < 35; i += 1)
      expect(await guess(email, password, new Visitor(site, '192.0.2.7'))).toMatchObject({ step: 'DONE' })
  })

  it('is recorded without addresses and usernames', async () => {
    const { rows } = await store.query('select * from identity.attempts')
    expect(rows.length).toBeGreaterThan(10)
    expect(JSON.stringify(rows)).not.toMatch(/acme|192\.0\.2|2001:/)
  })
})

describe('An unknown username', () => {
  it('gets the same answers and the same lock as a known one', async () => {
    const email = await someone()
    const answersTo = async (username: string) => {
      const answers: Answer[] = []
      for (let i = 0; i < 7; i += 1) answers.push(await guess(username, 'wrong'))
      return answers
    }
    expect(await answersTo('nobody@acme.example')).toEqual(await answersTo(email))
  })

  it.each([
    ['nothing', ''],
    ['a space', ' '],
    ['SQL', "' or 1=1 --"],
    ['a null byte', 'a\u0000b@acme.example'],
    ['half a character', '\ud800@acme.example'],
    ['100,000 letters', `${'x'.repeat(100_000)}@acme.example`],
    ['a MongoDB query', '{"$ne":null}'],
  ])('gets the usual answer if it contains %s', async (_what, username) => {
    expect(await guess(username, 'wrong')).toEqual(WRONG)
  })

  // Without a password check the answer takes a twentieth of the time; the bound leaves room for a busy machine.
  it('is not answered much faster than a known one', async () => {
    const email = await someone()
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let i = 0; i < 25; i += 1) {
      for (const kind of ['known', 'unknown'] as const) {
        const visitor = new Visitor(site)
        await visitor.start()
        const begun = performance.now()
        await visitor.answer('signIn', {
          username: kind === 'known' ? email : `nobody-${i}@acme.example`,
          password: 'wrong',
        })
        times[kind].push(performance.now() - begun)
      }
      await store.query('truncate identity.attempts')
    }
    const [known, unknown] = [median(times.known), median(times.unknown)]
    expect(unknown).toBeGreaterThan(known / 3)
  })
})

describe('A password', () => {
  it('is compared exactly as typed, with leading spaces and up to 128 characters', async () => {
    const email = await someone()
    const long = `   ${'ß漢😀 '.repeat(25)}`.padEnd(128, 'x').slice(0, 128)
    await site.identity.admin.setPassword({ pool: POOL, email, password: long })
    expect(await guess(email, long)).toMatchObject({ step: 'DONE' })
    expect(await guess(email, long.trim())).toEqual(WRONG)
    expect(await guess(email, long.slice(0, 127))).toEqual(WRONG)
    expect(await guess(`  ${email.toUpperCase()} `, long)).toMatchObject({ step: 'DONE' })
  })

  it('of a megabyte is refused within three seconds', async () => {
    const email = await someone()
    const begun = performance.now()
    expect(await guess(email, 'x'.repeat(1024 * 1024))).toEqual(WRONG)
    expect(performance.now() - begun).toBeLessThan(3000)
  })

  it('is stored as argon2id with the parameters that OWASP recommends', async () => {
    await someone()
    const { rows } = await store.query<{ password_hash: string }>('select password_hash from identity.users')
    for (const { password_hash } of rows)
      expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(JSON.stringify(rows)).not.toContain(password)
  })

  it('is not logged after a failed sign-in, nor is the e-mail address', async () => {
    const email = await someone()
    await guess(email, 'a telling password')
    expect(site.logged.join('\n')).not.toMatch(/telling|acme/)
  })

  it('that thirty people type at once does not stall other requests', async () => {
    const email = await someone()
    const visitors = Array.from({ length: 30 }, () => new Visitor(site))
    await Promise.all(visitors.map((visitor) => visitor.start()))
    const crowd = Promise.all(
      visitors.map((v, i) => v.answer('signIn', { username: `crowd-${i}-${email}`, password })),
    )
    const delays: number[] = []
    for (let i = 0; i < 10; i += 1) {
      const begun = performance.now()
      await fetch(`${site.origin}/idp/${POOL}/.well-known/openid-configuration`)
      delays.push(performance.now() - begun)
    }
    await crowd
    expect(median(delays)).toBeLessThan(500)
  })
})

describe('An account', () => {
  const invite = (email: string, own?: string) =>
    site.identity.admin.invite({ pool: POOL, email, attributes: { given_name: 'Nina' }, own })
  const newPassword = (visitor: Visitor, chosen: string) =>
    visitor.answer('confirmSignIn', { challenge_response: chosen })
  const LOST = {
    name: 'NotAuthorizedException',
    message: 'Invalid session for the user, session is expired.',
  }

  it('that was invited chooses a password, and reaches the callback', async () => {
    const email = 'Nina@Acme.example'
    const { temporary_password, sub } = await invite(email)

    const visitor = new Visitor(site)
    const { checks } = await visitor.start({ login_hint: email })
    expect(await visitor.screen()).toMatchObject({ saved: null, username: email })
    expect(await visitor.answer('signIn', { username: email, password: temporary_password })).toEqual({
      step: 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED',
      missing_attributes: [],
    })

    for (const poor of ['short', 'password1', 'NINA@acme.example', temporary_password ?? '', 'x'.repeat(257)])
      expect(await newPassword(visitor, poor)).toMatchObject({ name: 'InvalidPasswordException' })
    expect((await newPassword(visitor, 'short')).message).toBe('Password must have at least 8 characters')

    const { redirect_to = '' } = await newPassword(visitor, ' a password of mine ')
    const callback = new URL((await visitor.visit(redirect_to)).headers.get('location') ?? '')
    const tokens = await client.authorizationCodeGrant(site.config, callback, checks)
    expect(tokens.claims()).toMatchObject({
      sub,
      email: 'nina@acme.example',
      email_verified: true,
      given_name: 'Nina',
    })

    expect(await guess(email, temporary_password ?? '')).toEqual(WRONG)
    expect(await guess(email, ' a password of mine ')).toMatchObject({ step: 'DONE' })
    expect(await invite(email, sub)).toEqual({
      sub,
      temporary_password: null,
      link: null,
      temporary_until: null,
    })
    await expect(site.identity.admin.resendInvite({ pool: POOL, sub })).rejects.toMatchObject({
      name: 'UnsupportedUserStateException',
    })
  })

  it('that was disabled is replaced by a new one when its address is invited', async () => {
    const email = await someone()
    const before = await site.identity.admin.findByEmail({ pool: POOL, email })
    await site.identity.admin.setEnabled({ pool: POOL, sub: before?.sub ?? '', enabled: false })
    const { sub, link } = await invite(email)
    expect(link).toContain('/invitation/')
    expect(sub).not.toBe(before?.sub)
    expect(await guess(email, password)).toEqual(WRONG)
  })

  it('that was invited can cancel the choice of a password, and begin it again', async () => {
    const { temporary_password } = await invite('olga@acme.example')
    const visitor = new Visitor(site)
    await visitor.start()
    await visitor.answer('signIn', { username: 'olga@acme.example', password: temporary_password })
    await visitor.answer('cancel', {})
    expect(await visitor.screen()).toMatchObject({ saved: null })
    expect(await newPassword(visitor, 'a password of mine')).toEqual(LOST)
    await visitor.answer('signIn', { username: 'olga@acme.example', password: temporary_password })
    expect(await newPassword(visitor, 'a password of mine')).toMatchObject({ step: 'DONE' })
  })

  it('that is invited again rejects the first invitation, even while its password is being chosen', async () => {
    const email = 'pia@acme.example'
    const first = await invite(email)
    const visitor = new Visitor(site)
    await visitor.start()
    await visitor.answer('signIn', { username: email, password: first.temporary_password })
    const { temporary_password } = await site.identity.admin.resendInvite({ pool: POOL, sub: first.sub })
    expect(await newPassword(visitor, 'a password of mine')).toEqual({ step: 'EXPIRED' })
    expect(await guess(email, first.temporary_password ?? '')).toEqual(WRONG)
    expect(await guess(email, temporary_password)).toMatchObject({
      step: 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED',
    })
  })

  it('that was invited cannot use its temporary password after seven days', async () => {
    const { temporary_password } = await invite('quentin@acme.example')
    await store.query(
      `update identity.users set temporary_until = temporary_until - interval '7 days' where username = 'quentin@acme.example'`,
    )
    expect(await guess('quentin@acme.example', temporary_password ?? '')).toEqual({
      name: 'NotAuthorizedException',
      message: 'Temporary password has expired and must be reset by an administrator.',
    })
  })

  it('that is disabled says so only if the password is right', async () => {
    const email = await someone()
    const account = await site.identity.admin.findByEmail({ pool: POOL, email })
    await site.identity.admin.setEnabled({ pool: POOL, sub: account?.sub ?? '', enabled: false })
    expect(await guess(email, 'wrong')).toEqual(WRONG)
    expect(await guess(email, password)).toEqual({
      name: 'NotAuthorizedException',
      message: 'User is disabled.',
    })
  })

  it('that no longer belongs to a person does not block its address for another account', async () => {
    const find = (email: string) => site.identity.admin.findByEmail({ pool: POOL, email })
    const [gone, email] = [await someone(), await someone()]
    const [holder, { sub = '' } = {}] = [(await find(gone))?.sub ?? '', (await find(email)) ?? {}]
    const change = () => site.identity.admin.changeEmail({ pool: POOL, sub, email: gone })
    site.isSomebodys.add(holder)
    await expect(change()).rejects.toMatchObject({ name: 'UsernameExistsException' })
    site.isSomebodys.delete(holder)
    await change()
    expect(await find(gone)).toMatchObject({ sub })
  })

  it('that is unknown, or in another pool, is not found', async () => {
    for (const sub of ['nobody', '00000000-0000-0000-0000-000000000000', "'"])
      await expect(site.identity.admin.signOutEverywhere({ pool: POOL, sub })).rejects.toMatchObject({
        name: 'UserNotFoundException',
      })
    expect(await site.identity.admin.findByEmail({ pool: 'other', email: 'nina@acme.example' })).toBeNull()
  })
})

describe('A sign-in in progress', () => {
  it('belongs to the browser that began it', async () => {
    const email = await someone()
    expect(await new Visitor(site).answer('signIn', { username: email, password })).toEqual({
      step: 'EXPIRED',
    })
    expect(await new Visitor(site).screen()).toBeNull()

    const visitor = new Visitor(site)
    await visitor.start()
    visitor.setCookie('__Host-idp-interaction.sig', 'forged')
    expect(await visitor.screen()).toBeNull()
    visitor.setCookie('__Host-idp-interaction', "x' or 1=1")
    expect(await visitor.screen()).toBeNull()
  })

  it('expires after 15 minutes', async () => {
    const email = await someone()
    const visitor = new Visitor(site)
    await visitor.start()
    await site.age(`kind = 'Interaction'`, 15 * 60)
    expect(await visitor.screen()).toBeNull()
    expect(await visitor.answer('signIn', { username: email, password })).toEqual({ step: 'EXPIRED' })
  })

  it('replaces an earlier one in the same browser', async () => {
    const email = await someone()
    const visitor = new Visitor(site)
    await visitor.start()
    const { checks } = await visitor.start()
    const { redirect_to = '' } = await visitor.answer('signIn', { username: email, password })
    const callback = new URL((await visitor.visit(redirect_to)).headers.get('location') ?? '')
    expect(callback.searchParams.get('state')).toBe(checks.expectedState)
  })
})

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
