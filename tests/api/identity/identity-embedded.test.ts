/** The embedded provider behind the sign-in screens: the contract, and its additional rules. */
import { generate } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAttempts } from '#app/identity/attempts.server.ts'
import { describeIdentity, PASSWORD } from './identity-contract.ts'
import { openSite, POOL, type Site, secrets, Visitor } from './identity-site.ts'

let site: Site
let store: Site['store']

beforeAll(async () => {
  site = await openSite()
  store = site.store
})
afterAll(() => site?.close())
beforeEach(async () => {
  site.rules.screens = { sign_up: true, required_attributes: ['given_name', 'family_name'] }
  site.rules.reveals_users = false
  site.admission.isOpen = true
  await store.query('truncate identity.attempts')
})

type Call = (name: string, input?: object) => ReturnType<Visitor['answer']>

async function caller(more: Record<string, string> = {}): Promise<{ visitor: Visitor; call: Call }> {
  const visitor = new Visitor(site)
  await visitor.start(more)
  return { visitor, call: (name, input = {}) => visitor.answer(name, input) }
}

let people = 0
async function person(attributes: Record<string, string | boolean> = {}) {
  people += 1
  const username = `person-${people}@acme.example`
  const { sub } = await site.identity.admin.setPassword({
    pool: POOL,
    email: username,
    password: PASSWORD,
    attributes,
  })
  return { username, password: PASSWORD, sub }
}

describeIdentity('embedded', () => ({
  async caller() {
    const { visitor, call } = await caller()
    return { call, secret: async () => (await visitor.screen())?.totp?.secret ?? '' }
  },
  person,
  unverified: () => person({ email_verified: false }),
  async texted() {
    people += 1
    const phone = `+1555${String(people).padStart(7, '0')}`
    const { sub, ...known } = await person({ phone_number: phone, phone_number_verified: true })
    await site.identity.admin.setSecondFactor({ pool: POOL, sub, preferred: 'SMS_MFA' })
    return { ...known, phone }
  },
  async withoutApp() {
    const { sub, ...known } = await person()
    site.mustHaveMfa.add(sub)
    return known
  },
  async disable(username) {
    const known = await site.identity.admin.findByEmail({ pool: POOL, email: username })
    await site.identity.admin.setEnabled({ pool: POOL, sub: known?.sub ?? '', enabled: false })
  },
  async requireReset(username) {
    const known = await site.identity.admin.findByEmail({ pool: POOL, email: username })
    await site.identity.admin.requireReset({ pool: POOL, sub: known?.sub ?? '' })
  },
  async nextStep(username) {
    await store.query('update identity.users set totp_last_step = totp_last_step - 5 where username = $1', [
      username,
    ])
  },
  async invited() {
    people += 1
    const username = `person-${people}@acme.example`
    const attributes = { given_name: 'Ina', family_name: 'Invited' }
    const { temporary_password } = await site.identity.admin.invite({
      pool: POOL,
      email: username,
      attributes,
    })
    return { username, temporary_password: temporary_password ?? '' }
  },
  codeFor: (username) => site.codeFor(username),
}))

const LIMITED = {
  name: 'LimitExceededException',
  message: 'Attempt limit exceeded, please try after some time.',
}
const EXPIRED = {
  name: 'ExpiredCodeException',
  message: 'Invalid code provided, please request a code again.',
}
const MISMATCH = {
  name: 'CodeMismatchException',
  message: 'Invalid verification code provided, please try again.',
}
const LOST = {
  name: 'NotAuthorizedException',
  message: 'Invalid session for the user, session is expired.',
}

/** Lets time pass for the codes that were sent. */
const wait = (interval: string) =>
  store.query(
    `update identity.codes set expires_at = expires_at - $1::interval,
       sent = array(select at - $1::interval from unnest(sent) as at)`,
    [interval],
  )

const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('Ten thousand guesses', () => {
  /** This many arrive as form posts; the others go directly to the check that each post has to pass. */
  const POSTS = 400
  const AT_THE_GATE = 9600

  it('at one password get ten checks in 15 minutes, and do not keep other people out', async () => {
    const victim = await person()
    const others = await Promise.all(Array.from({ length: 5 }, () => person()))
    const gate = createAttempts(store, secrets())
    const counted: Record<string, number> = {}
    const count = (what: string) => {
      counted[what] = (counted[what] ?? 0) + 1
    }
    /** Each address makes ten guesses, so none reaches its own limit. */
    const addressOf = (guess: number) =>
      `10.${guess % 4}.${Math.floor(guess / 2500)}.${Math.floor(guess / 10) % 250}`
    // Ends the short lock, so that only the limit per 15 minutes applies.
    const unlock = () => store.query('update identity.attempts set locked_until = null')

    async function post(guess: number, visitor: Visitor) {
      const wrong = { username: victim.username, password: `guess ${guess}` }
      const { message = '' } = await visitor.answer('signIn', wrong, addressOf(guess))
      count(message)
    }
    const knock = (guess: number) =>
      gate.begin({ pool_id: POOL, username: victim.username, ip: addressOf(guess) }).then(
        () => count('Incorrect username or password.'),
        ({ message }) => count(message),
      )
    async function guessing() {
      const browsers = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const visitor = new Visitor(site)
          await visitor.start()
          return visitor
        }),
      )
      for (let first = 0; first < POSTS; first += browsers.length) {
        await Promise.all(browsers.map((visitor, i) => post(first + i, visitor)))
        await unlock()
      }
      for (let first = POSTS; first < POSTS + AT_THE_GATE; first += 400) {
        await Promise.all(Array.from({ length: 400 }, (_, i) => knock(first + i)))
        await unlock()
      }
    }
    async function signingIn() {
      for (const { username, password } of others) {
        const { call } = await caller()
        expect(await call('signIn', { username, password })).toMatchObject({ step: 'DONE' })
      }
    }
    await Promise.all([guessing(), signingIn()])

    expect(counted).toEqual({
      'Incorrect username or password.': 10,
      'Password attempts exceeded': POSTS + AT_THE_GATE - 10,
    })
    const { call } = await caller()
    const owner = { username: victim.username, password: victim.password }
    expect(await call('signIn', owner)).toMatchObject({ message: 'Password attempts exceeded' })
    await store.query(
      `update identity.attempts set recent = array(select at - interval '15 minutes' from unnest(recent) as at)`,
    )
    expect(await call('signIn', owner)).toMatchObject({ step: 'DONE' })
  }, 240_000)
})

describe('A code', () => {
  const reset = (call: Call, username: string, confirmation_code: string) =>
    call('confirmResetPassword', { username, confirmation_code, new_password: PASSWORD })
  const ask = (call: Call, username: string, is_resend = false) =>
    call('resetPassword', { username, is_resend })

  it('can be guessed five times, and the sixth guess is refused even if it is right', async () => {
    const { username } = await person()
    const { call } = await caller()
    await ask(call, username)
    const code = await site.codeFor(username)
    for (let i = 0; i < 4; i += 1) expect(await reset(call, username, other(code))).toEqual(MISMATCH)
    await store.query('truncate identity.attempts')
    expect(await reset(call, username, other(code))).toEqual(MISMATCH)
    await store.query('truncate identity.attempts')
    expect(await reset(call, username, code)).toEqual(LIMITED)
    await wait('31 seconds')
    await ask(call, username, true)
    expect(await reset(call, username, await site.codeFor(username))).toEqual({})
  })

  it('is checked ten times in 15 minutes, however often it is resent, and the password still works', async () => {
    const { username, password } = await person()
    const { call } = await caller()
    let evaluated = 0
    for (let round = 0; round < 5; round += 1) {
      await wait('61 minutes')
      await ask(call, username, true)
      for (let i = 0; i < 5; i += 1) {
        await store.query('update identity.attempts set locked_until = null')
        const { name } = await reset(call, username, 'nothing')
        if (name !== 'LimitExceededException') evaluated += 1
      }
    }
    expect(evaluated).toBe(10)
    const { call: again } = await caller()
    expect(await again('signIn', { username, password })).toMatchObject({ step: 'DONE' })
  })

  it.each([
    ['reset', '1 hour'],
    ['sign-up', '24 hours'],
  ])('for a %s expires after %s', async (kind, lifetime) => {
    const { call } = await caller()
    const { username } = kind === 'reset' ? await person() : await newcomer(call)
    if (kind === 'reset') await ask(call, username)
    const confirmation_code = await site.codeFor(username)
    await wait(lifetime)
    const answer =
      kind === 'reset'
        ? await reset(call, username, confirmation_code)
        : await call('confirmSignUp', { username, confirmation_code })
    expect(answer).toEqual(EXPIRED)
  })

  it('is sent again after 30 seconds, and at most five times an hour', async () => {
    const { username } = await person()
    const { call } = await caller()
    await ask(call, username)
    expect(await ask(call, username, true)).toEqual({
      name: 'LimitExceededException',
      message: 'The code was sent a moment ago. Please wait 30 seconds before you ask for another.',
    })
    // Reloading the page is not refused: the code was already sent.
    expect(await ask(call, username)).toMatchObject({ medium: 'EMAIL' })
    expect(await site.messagesTo(username)).toHaveLength(1)
    for (let i = 0; i < 5; i += 1) {
      await wait('31 seconds')
      expect(await ask(call, username, true)).toMatchObject({ medium: 'EMAIL' })
    }
    await wait('31 seconds')
    expect(await ask(call, username, true)).toEqual(LIMITED)
    expect(await site.messagesTo(username)).toHaveLength(6)
    await wait('1 hour')
    expect(await ask(call, username, true)).toMatchObject({ medium: 'EMAIL' })
  })

  it('does not delay the answer if its message hangs at the carrier', async () => {
    const { username } = await person()
    const { promise, resolve } = Promise.withResolvers<void>()
    site.carrier.hangs = promise
    const { call } = await caller()
    const began = performance.now()
    await call('resetPassword', { username, is_resend: false })
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(await site.messagesTo(username)).toEqual([])
    resolve()
    expect(await site.codeFor(username)).toMatch(/^\d{6}$/)
  })

  it('does not work for another flow or another person', async () => {
    const { call } = await caller()
    const { username } = await newcomer(call)
    const code = await site.codeFor(username)
    await ask(call, username)
    expect((await reset(call, username, code)).name).toMatch(/Mismatch|Expired/)
    const someone = await person()
    expect(await reset(call, someone.username, code)).toEqual(EXPIRED)
  })

  it('is neither stored nor logged in plain text', async () => {
    const { username } = await person()
    const { call } = await caller()
    await ask(call, username)
    const code = await site.codeFor(username)
    const { rows } = await store.query('select * from identity.codes')
    expect(JSON.stringify(rows)).not.toContain(code)
    expect(JSON.stringify(rows)).not.toContain(username)
    expect(site.logged.join('\n')).not.toContain(code)
  })

  it('can be requested 120 times from one IP address, and then is refused', async () => {
    const { call } = await caller()
    for (let i = 0; i < 120; i += 1)
      expect(await ask(call, `nobody-${i}@acme.example`)).toMatchObject({ medium: 'EMAIL' })
    expect(await ask(call, 'nobody-121@acme.example')).toEqual(LIMITED)
  })
})

async function newcomer(call: Call) {
  people += 1
  const username = `newcomer-${people}@acme.example`
  const user_attributes = { given_name: 'Nina', family_name: 'New' }
  const answer = await call('signUp', { username, password: PASSWORD, user_attributes })
  return { username, answer }
}

describe('A forgotten password', () => {
  const ask = (call: Call, username: string) => call('resetPassword', { username, is_resend: false })

  it('gets the same answers for an unknown username, without a message', async () => {
    const { username } = await person()
    const { call } = await caller()
    const answers = [await ask(call, username), await ask(call, 'person-0@acme.example')]
    expect(answers.map(({ destination }) => destination?.replace(/\d\*\*|p\*\*\d/, ''))).toHaveLength(2)
    expect(answers[1]).toEqual({
      destination: 'p**0@acme.example',
      medium: 'EMAIL',
      attribute_name: 'email',
    })
    const guess = { username: 'person-0@acme.example', confirmation_code: '000000', new_password: PASSWORD }
    expect((await call('confirmResetPassword', guess)).name).toBe('CodeMismatchException')
    expect(await site.messagesTo('person-0@acme.example')).toEqual([])
  })

  it('reveals unknown and taken usernames if the pool allows it', async () => {
    site.rules.reveals_users = true
    const { call } = await caller()
    expect(await ask(call, 'nobody@acme.example')).toEqual({
      name: 'UserNotFoundException',
      message: 'Username/client id combination not found.',
    })
    const { username } = await person()
    expect(await call('signUp', { username, password: PASSWORD, user_attributes: names })).toEqual({
      name: 'UsernameExistsException',
      message: 'User already exists',
    })
  })
  const names = { given_name: 'Nina', family_name: 'New' }

  it('sends a fresh invitation to a person who never chose a password', async () => {
    const email = 'ivy@acme.example'
    const first = await site.identity.admin.invite({ pool: POOL, email, attributes: names })
    const { call } = await caller()
    expect(await ask(call, email)).toMatchObject({ medium: 'EMAIL' })
    await new Promise((resolve) => setTimeout(resolve, 300))
    const sent = await site.messagesTo(email)
    const { body = '', button, note } = sent[0] ?? {}
    const link = button?.url ?? ''
    expect([button?.label, note]).toEqual([
      'Choose your password',
      expect.stringMatching(/^The link works once, until \w+ \d+, \d{4}, \d+:\d\d\s[AP]M \(UTC\)\./),
    ])
    expect(body).not.toMatch(/\b\d{6}\b|temporary/)
    const signIn = (with_password: string | null) =>
      call('signIn', { username: email, password: with_password })
    expect(await signIn(first.temporary_password)).toMatchObject({ name: 'NotAuthorizedException' })
    expect(await call('openInvitation', { code: codeOf(first.link ?? '') })).toMatchObject(USED)
    expect(await call('openInvitation', { code: codeOf(link) })).toEqual({
      username: email,
      missing_attributes: [],
    })
  })

  it('sends no message to a disabled person', async () => {
    const { username, sub } = await person()
    await site.identity.admin.setEnabled({ pool: POOL, sub, enabled: false })
    const { call } = await caller()
    expect(await ask(call, username)).toMatchObject({ medium: 'EMAIL' })
    expect(await site.messagesTo(username)).toEqual([])
  })

  it('can be replaced by a person who has not confirmed their sign-up', async () => {
    const { call } = await caller()
    const { username } = await newcomer(call)
    await ask(call, username)
    const reset = {
      username,
      confirmation_code: await site.codeFor(username),
      new_password: 'words of my own',
    }
    expect(await call('confirmResetPassword', reset)).toEqual({})
    expect(await call('signIn', { username, password: 'words of my own' })).toMatchObject({ step: 'DONE' })
  })

  it('is replaced without an error if its form is submitted again before the first answer', async () => {
    const { username } = await person()
    const { call } = await caller()
    await ask(call, username)
    const confirmation_code = await site.codeFor(username)
    const press = () =>
      call('confirmResetPassword', { username, confirmation_code, new_password: 'words of my own' })
    // The first has written its change, but not committed it.
    await store.query(`create function hold() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(1); return null; end'`)
    await store.query(`create trigger hold after update of challenge on identity.models for each row
      when (new.challenge ->> 'step' = 'RESET') execute function hold()`)
    const holder = await site.database.connectAdmin()
    await holder.query('begin; select pg_advisory_xact_lock(1)')
    const first = press()
    await expect.poll(site.database.countWaiting).toBe(1)
    const second = press()
    await expect.poll(site.database.countWaiting).toBe(2)
    await holder.query('commit')
    expect(await Promise.all([first, second])).toEqual([{}, {}])
    await store.query('drop function hold cascade')
  })

  it('has to be replaced before the next sign-in if an administrator required it', async () => {
    const { username, password, sub } = await person()
    await site.identity.admin.requireReset({ pool: POOL, sub })
    const { call } = await caller()
    expect(await call('signIn', { username, password: 'wrong' })).toMatchObject({
      name: 'NotAuthorizedException',
    })
    expect(await call('signIn', { username, password })).toEqual({ step: 'RESET_PASSWORD' })
    expect(await call('complete')).toEqual(LOST)
    await ask(call, username)
    const reset = {
      username,
      confirmation_code: await site.codeFor(username),
      new_password: 'words of my own',
    }
    expect(await call('confirmResetPassword', reset)).toEqual({})
    expect(await call('signIn', { username, password: 'words of my own' })).toMatchObject({ step: 'DONE' })
  })
})

describe('A sign-up', () => {
  it('is refused if the pool does not allow it', async () => {
    site.rules.screens = { sign_up: false }
    const { call } = await caller()
    expect((await newcomer(call)).answer).toEqual({
      name: 'NotAuthorizedException',
      message: 'SignUp is not permitted for this user pool',
    })
  })

  it.each([
    ['an attribute that only the provider sets', { email_verified: 'true' }],
    ['a role', { is_super_admin: 'true' }],
    ['a prototype', { ['__proto__']: 'x', constructor: 'x' }],
    ['an invalid phone number', { phone_number: '12' }],
    ['an empty required attribute', { given_name: '' }],
  ])('is refused with attributes that are not allowed: %s', async (_what, more) => {
    const { call } = await caller()
    const user_attributes = { given_name: 'Nina', family_name: 'New', ...more }
    const wish = { username: 'attributes@acme.example', password: PASSWORD, user_attributes }
    expect(await call('signUp', wish)).toMatchObject({ name: 'InvalidParameterException' })
  })

  it('tells only the owner of an e-mail address that it is taken', async () => {
    const { username, password } = await person()
    const { call } = await caller()
    const wish = { username, password: 'words of somebody else', user_attributes: names }
    expect(await call('signUp', wish)).toMatchObject({ step: 'CONFIRM_SIGN_UP' })
    const [message] = await site.messagesTo(username)
    expect(message?.subject).toBe('You have a Liftwell account')
    expect(message?.body).not.toMatch(/\b\d{6}\b/)
    expect(await call('confirmSignUp', { username, confirmation_code: '000000' })).toEqual(MISMATCH)
    expect(await call('signIn', { username, password })).toMatchObject({ step: 'DONE' })
  })
  const names = { given_name: 'Nina', family_name: 'New' }

  const again = (call: Call, username: string, password = PASSWORD) =>
    call('signUp', { username, password, user_attributes: names })
  const confirm = (call: Call, username: string, confirmation_code: string) =>
    call('confirmSignUp', { username, confirmation_code })
  const CONFIRMED = { step: 'COMPLETE_AUTO_SIGN_IN' }

  it.each([
    ['at once', 0],
    ['150 ms apart', 150],
  ])('that is submitted twice, %s, sends one e-mail, and its code works', async (_when, pause) => {
    const { call } = await caller()
    people += 1
    const username = `newcomer-${people}@acme.example`
    const first = again(call, username)
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
    for (const answer of await Promise.all([first, again(call, username)]))
      expect(answer).toMatchObject({ step: 'CONFIRM_SIGN_UP' })
    expect(await site.messagesTo(username)).toHaveLength(1)
    expect(await confirm(call, username, await site.codeFor(username))).toEqual(CONFIRMED)
    expect(await call('autoSignIn')).toMatchObject({ step: 'DONE' })
  })

  it('succeeds if it is confirmed twice at the same moment', async () => {
    const { call } = await caller()
    const { username } = await newcomer(call)
    const code = await site.codeFor(username)
    const answers = await Promise.all([confirm(call, username, code), confirm(call, username, code)])
    expect(answers).toEqual([CONFIRMED, CONFIRMED])
    expect(await confirm(call, username, code)).toEqual(CONFIRMED)
    expect(await call('autoSignIn')).toMatchObject({ step: 'DONE' })
  })

  it('that is repeated, in the same or another browser, uses the latest code and password', async () => {
    for (const isSameBrowser of [true, false]) {
      const { call: early } = await caller()
      const { username } = await newcomer(early)
      const first = await site.codeFor(username)
      const call = isSameBrowser ? early : (await caller()).call
      await wait('31 seconds')
      await again(call, username, 'words of my own')
      const latest = await site.codeFor(username)
      if (first !== latest) expect(await confirm(call, username, first)).toEqual(MISMATCH)
      expect(await confirm(call, username, latest)).toEqual(CONFIRMED)
      expect(await call('autoSignIn')).toMatchObject({ step: 'DONE' })
      const sign = async (password: string) => (await caller()).call('signIn', { username, password })
      expect(await sign('words of my own')).toMatchObject({ step: 'DONE' })
      expect(await sign(PASSWORD)).toMatchObject({ name: 'NotAuthorizedException' })
    }
  })

  it('keeps its code after a sign-in with a wrong password', async () => {
    const { call } = await caller()
    const { username } = await newcomer(call)
    expect(await call('signIn', { username, password: 'wrong' })).toMatchObject({
      name: 'NotAuthorizedException',
    })
    expect(await confirm(call, username, await site.codeFor(username))).toEqual(CONFIRMED)
  })

  it('with another person’s address gives the stranger no access after the owner has signed up', async () => {
    const { call: stranger } = await caller()
    const { username } = await newcomer(stranger)
    await wait('31 seconds')
    const { call } = await caller()
    await again(call, username, 'words of my own')
    expect(await confirm(call, username, await site.codeFor(username))).toEqual(CONFIRMED)

    expect((await confirm(stranger, username, '000000')).name).toMatch(/Mismatch|Expired/)
    expect(await stranger('autoSignIn')).toEqual(LOST)
    // Nor does the stranger learn that the owner has confirmed it.
    await wait('31 seconds')
    expect(await stranger('resendSignUpCode', { username, is_resend: true })).toMatchObject({
      medium: 'EMAIL',
    })
    const sign = async (password: string) => (await caller()).call('signIn', { username, password })
    expect(await sign(PASSWORD)).toMatchObject({ name: 'NotAuthorizedException' })
    expect(await sign('words of my own')).toMatchObject({ step: 'DONE' })
  })

  it('waits until a company admits the person', async () => {
    site.admission.isOpen = false
    const { call } = await caller()
    const { username } = await newcomer(call)
    await call('confirmSignUp', { username, confirmation_code: await site.codeFor(username) })
    expect(await call('autoSignIn')).toMatchObject({ name: 'UserNotReadyException' })
    site.admission.isOpen = true
    expect(await call('autoSignIn')).toMatchObject({ step: 'DONE' })
    expect(site.admission.admitted).toHaveLength(new Set(site.admission.admitted).size)
  })

  it('that was not confirmed is replaced by an invitation', async () => {
    const { call } = await caller()
    const { username } = await newcomer(call)
    expect(await site.identity.admin.findByEmail({ pool: POOL, email: username })).toMatchObject({
      status: 'UNCONFIRMED',
      attributes: { email: username, email_verified: false, given_name: 'Nina' },
    })
    const { temporary_password } = await site.identity.admin.invite({ pool: POOL, email: username })
    const again = await caller()
    expect(await again.call('signIn', { username, password: PASSWORD })).toMatchObject({
      name: 'NotAuthorizedException',
    })
    expect(await again.call('signIn', { username, password: temporary_password })).toMatchObject({
      step: 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED',
    })
  })
})

const codeOf = (link: string) => link.slice(link.lastIndexOf('/') + 1)
const USED = {
  name: 'NotAuthorizedException',
  message: expect.stringContaining('This link was used already'),
}

describe('The link of an invitation', () => {
  const invite = async (email: string) => {
    const attributes = { given_name: 'Ina', family_name: 'Invited' }
    const { sub, link } = await site.identity.admin.invite({ pool: POOL, email, attributes })
    return { email, sub, code: codeOf(link ?? '') }
  }

  it('lets its owner choose a password once, however often it was opened before', async () => {
    const { email, code } = await invite('linked@acme.example')
    for (let opened = 0; opened < 3; opened += 1)
      expect(await (await caller()).call('openInvitation', { code })).toMatchObject({ username: email })
    const [one, other] = [await caller(), await caller()]
    for (const { call } of [one, other]) await call('openInvitation', { code })
    expect(await one.call('confirmSignIn', { challenge_response: PASSWORD })).toMatchObject({ step: 'DONE' })
    expect(await other.call('confirmSignIn', { challenge_response: 'another password' })).toMatchObject({
      name: 'NotAuthorizedException',
    })
    expect(await (await caller()).call('openInvitation', { code })).toMatchObject(USED)
  })

  it('accepts a form that is submitted twice, but then not another password', async () => {
    const { email, code } = await invite('pressed@acme.example')
    const { call } = await caller()
    await call('openInvitation', { code })
    const press = (challenge_response: string) => call('keep:confirmSignIn', { challenge_response })
    const pressed = await Promise.all([press('words of my own'), press('words of my own')])
    expect([...pressed, await press('words of my own')]).toEqual(Array(3).fill({ step: 'DONE' }))
    expect(await press('other words of mine')).toEqual(LOST)
    expect(await call('complete')).toHaveProperty('redirect_to')
    const next = await caller()
    expect(await next.call('signIn', { username: email, password: 'words of my own' })).toMatchObject({
      step: 'DONE',
    })
  })

  it('does not work if it is altered, combined with another person’s, or malformed', async () => {
    const [mine, theirs] = [await invite('mine@acme.example'), await invite('theirs@acme.example')]
    const [, secret = ''] = mine.code.split('.')
    for (const code of [
      `${mine.code}x`,
      `${theirs.sub}.${secret}`,
      `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.${secret}`,
      ...['', '.', 'x', mine.sub, `${mine.sub}.`, `${mine.code}\n`, "' or 1=1", '\0', 'x'.repeat(5000)],
    ]) {
      const { call } = await caller()
      expect([code, await call('openInvitation', { code })]).toEqual([code, expect.objectContaining(USED)])
      expect(await call('confirmSignIn', { challenge_response: PASSWORD })).toHaveProperty('name')
    }
    expect(await (await caller()).call('openInvitation', { code: mine.code })).not.toHaveProperty('name')
  })

  it('is refused after too many guesses, which do not block a sign-in with the password', async () => {
    const { username, password, sub } = await person()
    const tries = []
    for (let i = 0; i < 7; i += 1)
      tries.push(await (await caller()).call('openInvitation', { code: `${sub}.guess-${i}` }))
    expect(tries.at(-1)).toEqual(LIMITED)
    expect(await (await caller()).call('signIn', { username, password })).toMatchObject({ step: 'DONE' })
  })

  it('says that it has expired, or that its person is disabled', async () => {
    const { code, sub, email } = await invite('late@acme.example')
    await site.identity.admin.setEnabled({ pool: POOL, sub, enabled: false })
    expect(await (await caller()).call('openInvitation', { code })).toMatchObject({
      message: 'User is disabled.',
    })
    await site.identity.admin.setEnabled({ pool: POOL, sub, enabled: true })
    await store.query(`update identity.users set temporary_until = now() where username = $1`, [email])
    expect(await (await caller()).call('openInvitation', { code })).toMatchObject({
      message: expect.stringContaining('This invitation has expired.'),
    })
  })
})

describe('A first password', () => {
  it('needs the attributes that the pool lacks, and does not change the ones it has', async () => {
    site.rules.screens = { required_attributes: ['given_name', 'phone_number'] }
    const email = 'mia@acme.example'
    const { temporary_password } = await site.identity.admin.invite({
      pool: POOL,
      email,
      attributes: { given_name: 'Mia' },
    })
    const { call } = await caller()
    expect(await call('signIn', { username: email, password: temporary_password })).toEqual({
      step: 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED',
      missing_attributes: ['phone_number'],
    })
    const choose = (user_attributes: object) =>
      call('confirmSignIn', { challenge_response: PASSWORD, user_attributes })
    expect(await choose({})).toMatchObject({ name: 'InvalidParameterException' })
    expect(
      await choose({ phone_number: '+15551234567', given_name: 'Another', email: 'x@y.z' }),
    ).toMatchObject({ step: 'DONE' })
    const account = await site.identity.admin.findByEmail({ pool: POOL, email })
    expect(account?.attributes).toMatchObject({ given_name: 'Mia', phone_number: '+15551234567', email })
  })
})

describe('An authenticator app', () => {
  async function setUp() {
    const who = await person()
    site.mustHaveMfa.add(who.sub)
    const { visitor, call } = await caller()
    const begin = () => call('signIn', { username: who.username, password: PASSWORD })
    expect(await begin()).toEqual({ step: 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP' })
    const secret = (await visitor.screen())?.totp?.secret ?? ''
    return { ...who, visitor, call, begin, secret }
  }
  const answer = (call: Call, challenge_response: string) => call('confirmSignIn', { challenge_response })

  it('keeps its secret until a code is accepted, and does not store it in plain text', async () => {
    const { visitor, call, begin, secret, username } = await setUp()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect((await visitor.screen())?.totp?.uri).toBe(
      `otpauth://totp/Liftwell:${encodeURIComponent(username)}?secret=${secret}&issuer=Liftwell`,
    )
    expect(await begin()).toEqual({ step: 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP' })
    expect((await visitor.screen())?.totp?.secret).toBe(secret)
    for (const wrong of ['', 'abcdef', '12345', other(await generate({ secret }))])
      expect(await answer(call, wrong)).toEqual({
        name: 'EnableSoftwareTokenMFAException',
        message: 'Code mismatch',
      })
    await store.query('truncate identity.attempts')
    expect(await answer(call, await generate({ secret }))).toMatchObject({ step: 'DONE' })
    const { rows } = await store.query('select * from identity.users')
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it('gets a new secret if it is not set up within 15 minutes, and the first one stops working', async () => {
    const { visitor, call, begin, secret, username } = await setUp()
    await store.query(
      `update identity.users set totp_pending_on = totp_pending_on - interval '15 minutes' where username = $1`,
      [username],
    )
    expect(await answer(call, await generate({ secret }))).toEqual(LOST)
    await begin()
    const next = (await visitor.screen())?.totp?.secret ?? ''
    expect(next).not.toBe(secret)
    expect(await answer(call, await generate({ secret: next }))).toMatchObject({ step: 'DONE' })
  })

  it('that is in use is neither shown nor replaced by a sign-in that began earlier', async () => {
    const { visitor, call, secret, username } = await setUp()
    const owner = await caller()
    await owner.call('signIn', { username, password: PASSWORD })
    expect(await answer(owner.call, await generate({ secret }))).toMatchObject({ step: 'DONE' })
    expect((await visitor.screen())?.totp).toBeNull()
    expect(await answer(call, await generate({ secret }))).toEqual(LOST)
  })

  it('accepts each code once, even if two sign-ins send it at the same moment', async () => {
    const { call, begin, secret, username } = await setUp()
    const code = await generate({ secret })
    await answer(call, code)
    const again = await caller()
    expect(await again.call('signIn', { username, password: PASSWORD })).toEqual({
      step: 'CONFIRM_SIGN_IN_WITH_TOTP_CODE',
    })
    expect((await again.visitor.screen())?.totp).toBeNull()
    expect(await answer(again.call, code)).toMatchObject({ name: 'ExpiredCodeException' })
    await store.query('update identity.users set totp_last_step = totp_last_step - 1 where username = $1', [
      username,
    ])
    const third = await caller()
    await third.call('signIn', { username, password: PASSWORD })
    const both = await Promise.all([answer(again.call, code), answer(third.call, code)])
    expect(both.filter(({ step }) => step === 'DONE')).toHaveLength(1)
    expect(begin).toBeTypeOf('function')
  })

  it('can be set up, and used, with a form that is submitted twice', async () => {
    const { call, secret, username } = await setUp()
    const press = async (of: Call) => {
      const challenge_response = await generate({ secret })
      const again = () => of('keep:confirmSignIn', { challenge_response })
      return [...(await Promise.all([again(), again()])), await again(), await of('complete')]
    }
    const signedIn = [
      { step: 'DONE' },
      { step: 'DONE' },
      { step: 'DONE' },
      { redirect_to: expect.any(String) },
    ]
    expect(await press(call)).toEqual(signedIn)
    await store.query('update identity.users set totp_last_step = totp_last_step - 1 where username = $1', [
      username,
    ])
    const { call: next } = await caller()
    await next('signIn', { username, password: PASSWORD })
    expect(await press(next)).toEqual(signedIn)
  })

  it('is required after a first password too', async () => {
    const email = 'first@acme.example'
    const { sub, temporary_password } = await site.identity.admin.invite({ pool: POOL, email })
    site.mustHaveMfa.add(sub)
    const { call } = await caller()
    await call('signIn', { username: email, password: temporary_password })
    const user_attributes = { given_name: 'Fia', family_name: 'First' }
    expect(await call('confirmSignIn', { challenge_response: PASSWORD, user_attributes })).toEqual({
      step: 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP',
    })
    expect(await call('complete')).toEqual(LOST)
  })

  it('is required of a person who already has a session without it', async () => {
    const { username, sub } = await person()
    const { visitor, call } = await caller()
    const { redirect_to = '' } = await call('signIn', { username, password: PASSWORD })
    await visitor.visit(redirect_to)
    expect((await visitor.start()).location).toContain('?code=')
    site.mustHaveMfa.add(sub)
    expect((await visitor.start()).location).toBe('/login/signIn')
  })

  it('still works after a stranger has guessed too many reset codes', async () => {
    const { call, begin, secret, username } = await setUp()
    const stranger = await caller()
    const guess = { username, confirmation_code: '000000', new_password: 'a password of mine' }
    for (let tries = 0; tries < 6; tries += 1) await stranger.call('confirmResetPassword', guess)
    expect(await stranger.call('confirmResetPassword', guess)).toEqual(LIMITED)
    expect(await begin()).toEqual({ step: 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP' })
    expect(await answer(call, await generate({ secret }))).toMatchObject({ step: 'DONE' })
  })

  it('that is lost can be removed, and is then set up with a new secret', async () => {
    const { call, secret, sub, username } = await setUp()
    await answer(call, await generate({ secret }))
    await site.identity.admin.setSecondFactor({ pool: POOL, sub, preferred: null })
    const again = await caller()
    expect(await again.call('signIn', { username, password: PASSWORD })).toEqual({
      step: 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP',
    })
    expect((await again.visitor.screen())?.totp?.secret).not.toBe(secret)
  })
})

describe('A code by text', () => {
  const phone_number = '+15551111111'

  it('is needed in addition to the password, works once, and expires after three minutes', async () => {
    const { username, sub } = await person({ phone_number, phone_number_verified: true })
    await site.identity.admin.setSecondFactor({ pool: POOL, sub, preferred: 'SMS_MFA' })
    const { call } = await caller()
    const signIn = () => call('signIn', { username, password: PASSWORD })
    expect(await signIn()).toEqual({
      step: 'CONFIRM_SIGN_IN_WITH_SMS_CODE',
      delivery: { destination: '********1111', medium: 'SMS', attribute_name: 'phone_number' },
    })
    const first = await site.codeFor(phone_number)
    expect(await call('complete')).toEqual(LOST)
    expect(await call('confirmSignIn', { challenge_response: other(first) })).toEqual({
      name: 'CodeMismatchException',
      message: 'Invalid code or auth state for the user.',
    })
    await wait('3 minutes')
    expect(await call('confirmSignIn', { challenge_response: first })).toEqual(EXPIRED)
    await signIn()
    const second = await site.codeFor(phone_number)
    const again = await caller()
    await again.call('signIn', { username, password: PASSWORD })
    expect(await call('confirmSignIn', { challenge_response: second })).toMatchObject({ step: 'DONE' })
    expect(await again.call('confirmSignIn', { challenge_response: second })).toEqual(EXPIRED)
  })

  it('requires a verified phone number', async () => {
    const { sub } = await person({ phone_number })
    await expect(
      site.identity.admin.setSecondFactor({ pool: POOL, sub, preferred: 'SMS_MFA' }),
    ).rejects.toMatchObject({ name: 'InvalidParameterException' })
  })
})

describe('A contact', () => {
  it('is verified after the password step, only by its owner with the code that was sent to it', async () => {
    // Signs in without completing, as the screens do while a contact is to be verified.
    async function begin(attributes: Parameters<typeof person>[0]) {
      const { username } = await person(attributes)
      const visitor = new Visitor(site)
      await visitor.start()
      const call: Call = (name, input = {}) => visitor.answer(`keep:${name}`, input)
      await call('signIn', { username, password: PASSWORD })
      return { username, call }
    }
    const { username, call } = await begin({ email_verified: false, phone_number: '+15552222222' })
    const stranger = await begin({ phone_number: '+15552222222' })
    expect(await call('fetchUserAttributes')).toMatchObject({ email: username, email_verified: 'false' })
    const send = (key: string) => call('sendUserAttributeVerificationCode', { key, is_resend: false })
    expect(await send('phone_number')).toEqual({
      destination: '********2222',
      medium: 'SMS',
      attribute_name: 'phone_number',
    })
    const confirmation_code = await site.codeFor('+15552222222')
    const confirm = (key: string, code: string) =>
      call('confirmUserAttribute', { key, confirmation_code: code })
    expect(await confirm('email', confirmation_code)).toEqual(EXPIRED)
    const theirs = { key: 'phone_number', confirmation_code }
    expect(await stranger.call('confirmUserAttribute', theirs)).toEqual(EXPIRED)
    expect(await stranger.call('fetchUserAttributes')).not.toMatchObject({ phone_number_verified: 'true' })
    expect(await confirm('phone_number', confirmation_code)).toEqual({})
    expect(await call('fetchUserAttributes')).toMatchObject({ phone_number_verified: 'true' })
    expect(await call('complete')).toHaveProperty('redirect_to')
  })
})

describe('The first screen', () => {
  it('is the one that the link to /login or the pool names, if it is allowed', async () => {
    const first = async (more: Record<string, string> = {}) =>
      (await (await caller(more)).visitor.screen())?.entrance
    expect(await first()).toBe('signIn')
    expect(await first({ screen_hint: 'forgotPassword' })).toBe('forgotPassword')
    expect(await first({ screen_hint: 'setupTotp' })).toBe('signIn')
    site.rules.screens = { initial_screen: 'signUp', sign_up: true }
    expect(await first()).toBe('signUp')
    site.rules.screens = { initial_screen: 'signUp', sign_up: false }
    expect(await first()).toBe('signIn')
  })
})
