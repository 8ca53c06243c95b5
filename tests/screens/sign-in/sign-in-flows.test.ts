/** Every path through our sign-in screens: without JavaScript. */
import { generate } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import { arrive as arriveAt, openWorld, PASSWORD, type World } from './sign-in-world.ts'

const LENA = 'lena@testing.example'
const TESS = 'tess@testing.example'

let site: Site
let world: World

beforeAll(async () => {
  site = await openSite()
  world = await openWorld()
})
afterAll(async () => {
  await world?.close()
  await site?.close()
})
beforeEach(() => world.forgive())

const arrive = (email: string, query?: string) => arriveAt(site, email, query)
const passwordOf = (address: string) => site.accounts.find((one) => one.email === address)?.password ?? ''
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const spaced = (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `

let people = 0
async function begin() {
  people += 1
  const username = `nina-${people}@nowhere.example`
  const hands = await arrive(username)
  await hands.open('/login/signUp')
  const wish = {
    username,
    password: PASSWORD,
    confirm_password: PASSWORD,
    given_name: 'Nina',
    family_name: 'New',
  }
  return { username, wish, ...hands }
}

describe('Create Account', () => {
  it('leads a new person to their own session', async () => {
    const { username, wish, answer, open, isIn } = await begin()
    const { html } = await open('/login/signUp')
    for (const words of ['Sign In', 'Create Account', 'Confirm Password', 'Given Name', 'Family Name'])
      expect(html).toContain(words)

    const poor = await answer('signUp', {
      ...wish,
      password: 'short',
      confirm_password: 'other',
      given_name: '',
    })
    expect(poor.response.status).toBe(400)
    expect(poor.html).toContain('Password must have at least 8 characters')
    expect(poor.html).toContain('Your passwords must match')
    expect(poor.html).toContain('This field is required')
    expect(poor.html).toContain(`value="${username}"`)
    expect(poor.html).not.toContain('value="short"')

    const page = await answer('signUp', wish)
    expect(page.path).toBe('/login/confirmSignUp')
    for (const words of ['We Emailed You', 'It may take a minute to arrive.', 'Resend Code', 'Confirm'])
      expect(page.html).toContain(words)
    const code = await world.codeFor(username)
    const wrong = await answer('confirmSignUp', { confirmation_code: other(code) })
    expect(wrong.response.status).toBe(400)
    expect(wrong.html).toContain('Invalid verification code provided, please try again.')
    expect(wrong.html).toMatch(/role="alert".*Dismiss.*>Confirm<\/button>/s)
    const again = await answer('confirmSignUp', { intent: 'resend' })
    expect(again.response.status).toBe(429)
    expect(again.html).toContain(
      'The code was sent a moment ago. Please wait 30 seconds before you ask for another.',
    )

    const end = await answer('confirmSignUp', { confirmation_code: spaced(code) })
    expect(isIn()).toBe(true)
    expect(end.path).toContain('/settings/profile')
    const { rows } = await world.app.query('select * from users where email = $1', [username])
    expect(rows[0]).toMatchObject({ first_name: 'Nina', last_name: 'New', activation_status: 'active' })
  })

  it('continues where it stopped when the tab was lost', async () => {
    const { username, wish, answer } = await begin()
    await answer('signUp', wish)
    const { answer: later, isIn } = await arrive(username)
    const page = await later('signIn', { username, password: PASSWORD })
    expect(page.path).toBe('/login/confirmSignUp')
    expect(page.html).toContain('We Emailed You')
    expect(page.html).not.toContain('Attempt limit exceeded')
    await later('confirmSignUp', { confirmation_code: await world.codeFor(username) })
    expect(isIn()).toBe(true)
  })

  it('waits with the person until the tenant is active', async () => {
    const { username, wish, visitor, answer, open, isIn } = await begin()
    await answer('signUp', wish)
    await world.setTenant(`status = 'inactive'`)
    const page = await answer('confirmSignUp', { confirmation_code: await world.codeFor(username) })
    expect(page.path).toBe('/login/transition')
    expect(page.html).toContain('Signing you in')
    expect((await visitor.visit('/login/transition')).headers.get('refresh')).toBe('5')
    await world.setTenant(`status = 'active'`)
    await open('/login/transition')
    expect(isIn()).toBe(true)
  })

  it('leads to one code when it is sent twice, at once or a moment later', async () => {
    for (const pause of [0, 150]) {
      const { username, wish, visitor, answer, isIn } = await begin()
      const first = visitor.submit('/login/signUp', wish)
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
      const [one, two] = await Promise.all([first, visitor.submit('/login/signUp', wish)])
      for (const sent of [one, two]) expect((await visitor.follow(sent)).path).toBe('/login/confirmSignUp')
      const code = await world.codeFor(username)
      await answer('confirmSignUp', { confirmation_code: code })
      expect(isIn()).toBe(true)
    }
  })

  it('says which code works when it is sent again after Back', async () => {
    const { username, wish, answer, open, isIn } = await begin()
    await answer('signUp', wish)
    const back = await open('/login/signUp')
    expect(back.path).toBe('/login/signUp')
    expect(back.html).toContain('href="/login/confirmSignUp"')
    const page = await answer('signUp', wish)
    expect(page.path).toBe('/login/confirmSignUp')
    expect(page.html).toContain('The one in our latest message is the one that works.')
    await answer('confirmSignUp', { confirmation_code: await world.codeFor(username) })
    expect(isIn()).toBe(true)
  })

  it('keeps the screen of its code while other screens are opened', async () => {
    const { username, wish, answer, open, isIn } = await begin()
    await answer('signUp', wish)
    for (const entrance of ['signUp', 'signIn', 'forgotPassword']) {
      const { html, path } = await open(`/login/${entrance}`)
      expect(path).toBe(`/login/${entrance}`)
      expect(html).toMatch(/We sent a code to n\*\*\d@nowhere\.example\./)
      const forward = await open('/login/confirmSignUp')
      expect(forward.path).toBe('/login/confirmSignUp')
      expect(forward.html).toContain('We Emailed You')
    }
    await open('/login/signUp')
    // The form of an outdated page, without visiting the next step first.
    await answer('confirmSignUp', { confirmation_code: await world.codeFor(username) })
    expect(isIn()).toBe(true)
  })

  it('is hidden when the pool allows no sign-up', async () => {
    const { rows } = await world.app.query('select settings from pools where is_default')
    await world.setPool({ sign_up: null })
    const { page, answer, open } = await arrive('nobody@nowhere.example')
    expect(page.html).not.toContain('Create Account')
    expect((await open('/login/signUp')).path).toBe('/login/signIn')
    expect((await answer('signUp', { username: 'nobody@nowhere.example' })).path).toBe('/login/signIn')
    await world.setPool(rows[0].settings)
  })

  it('asks for a phone number with its country when the pool requires one', async () => {
    await world.setPool({ required_attributes: ['given_name', 'phone_number'] })
    const { username, wish: typed, answer, open } = await begin()
    const { family_name: _, ...wish } = typed
    expect((await open('/login/signUp')).html).toMatch(/<option value="\+43"[^>]*>\+43 Austria/)
    const phone = { country_code: '+43', phone_number: '12' }
    expect((await answer('signUp', { ...wish, ...phone })).html).toContain(
      'Please enter a valid phone number',
    )
    const good = { ...wish, country_code: '+43', phone_number: '(0)664-123 45 67' }
    expect((await answer('signUp', good)).path).toBe('/login/confirmSignUp')
    await answer('confirmSignUp', { confirmation_code: await world.codeFor(username) })
    const { rows } = await world.accounts.query(
      `select attributes ->> 'phone_number' as phone from identity.users where username = $1`,
      [username],
    )
    expect(rows).toEqual([{ phone: '+4306641234567' }])
    await world.setPool({ required_attributes: ['given_name', 'family_name'] })
  })

  it('can be the first screen', async () => {
    await world.setPool({ initial_screen: 'signUp' })
    expect((await arrive('nobody@nowhere.example')).page.path).toBe('/login/signUp')
    await world.setPool({ initial_screen: 'signIn' })
  })
})

describe('Reset your password', () => {
  it('keeps the screens of its code and new password while other screens are opened', async () => {
    const { answer, open } = await arrive(LENA)
    await open('/login/forgotPassword')
    await answer('forgotPassword', { username: LENA })
    await world.codeFor(LENA)
    for (const entrance of ['forgotPassword', 'signIn', 'signUp']) {
      const { html } = await open(`/login/${entrance}`)
      expect(html).toContain('href="/login/confirmResetPassword"')
      expect((await open('/login/confirmResetPassword')).path).toBe('/login/confirmResetPassword')
    }
    const left = await answer('confirmResetPassword', { intent: 'back' })
    expect(left.path).toBe('/login/signIn')
    expect((await open('/login/confirmResetPassword')).html).toContain('choose a new password')
  })

  it('is offered at /login, and takes over the address typed there', async () => {
    const visitor = await site.visitor()
    expect(await (await visitor.visit('/login')).text()).toMatch(
      /<button[^>]*formNoValidate[^>]*>Forgot your password\?/i,
    )
    const asked = await visitor.follow(await visitor.submit('/login', { email: LENA, intent: 'forgot' }))
    expect(asked.path).toBe('/login/forgotPassword')
    expect(asked.html).toContain(`We send a code to ${LENA}`)
    expect(asked.html).not.toContain('type="email"')
    expect(asked.html).toContain('href="/login?forgotPassword=true"')
  })

  it('is offered at /login before an address is typed, and keeps the requested page', async () => {
    const visitor = await site.visitor()
    const path = '/login?redirect=%2Ftodo'
    const asked = await visitor.follow(await visitor.submit(path, { email: '', intent: 'forgot' }))
    expect(asked.path).toBe('/login?redirect=%2Ftodo&forgotPassword=true')
    expect((await visitor.submit(asked.path, { email: '' })).status).toBe(400)
  })

  it('takes a code and a new password, which then signs in', async () => {
    const { page, answer, isIn } = await arrive(LENA, `?forgotPassword=${LENA}`)
    expect(page.path).toBe('/login/forgotPassword')
    expect(page.html).toContain(`value="${LENA}"`)
    const sent = await answer('forgotPassword', { username: LENA })
    expect(sent.path).toBe('/login/confirmResetPassword')
    expect(sent.html).toContain('l**a@testing.example')

    const confirmation_code = await world.codeFor(LENA)
    const reset = (code: string, password: string, confirm_password = password) =>
      answer('confirmResetPassword', { confirmation_code: code, password, confirm_password })
    expect((await reset(confirmation_code, 'words of my own', 'other words')).html).toContain(
      'Your passwords must match',
    )
    expect((await reset(other(confirmation_code), 'words of my own')).html).toContain(
      'Invalid verification code',
    )
    expect((await reset(confirmation_code, 'password123')).html).toContain('Password is too easy to guess')
    const end = await reset(spaced(confirmation_code), 'words of my own')
    expect(end.path).toBe('/login/signIn')
    expect(end.html).toContain('Your password was changed. Sign in with the new one.')
    const differing = await reset(confirmation_code, 'words of my own', 'other words')
    expect(differing.path).toBe('/login/confirmResetPassword')
    expect(differing.html).toContain('Your passwords must match')
    const late = await reset(confirmation_code, 'words that come late')
    expect(late.path).toBe('/login/signIn')
    expect(late.html).toContain('Your password was changed before, by the form you sent first.')
    const again = await reset(confirmation_code, 'words of my own')
    expect(again.path).toBe('/login/signIn')
    expect(again.html).toContain('Your password was changed. Sign in with the new one.')
    await answer('signIn', { username: LENA, password: 'words of my own' })
    expect(isIn()).toBe(true)
  })

  it('succeeds every time when its form is sent three times at once', async () => {
    const { answer, open } = await arrive(LENA)
    await open('/login/forgotPassword')
    await answer('forgotPassword', { username: LENA })
    const confirmation_code = await world.codeFor(LENA)
    const words = 'words of my own'
    const press = () =>
      answer('confirmResetPassword', { confirmation_code, password: words, confirm_password: words })
    for (const { path, html } of await Promise.all([press(), press(), press()])) {
      expect(path).toBe('/login/signIn')
      expect(html).toContain('Your password was changed. Sign in with the new one.')
    }
  })

  it('shows the same screen for an unknown address', async () => {
    const { answer, open } = await arrive('nobody@nowhere.example')
    expect((await open('/login/signIn')).html).toContain('Forgot your password?')
    expect((await open('/login/forgotPassword')).html).toContain('Send Code')
    const page = await answer('forgotPassword', { username: 'nobody@nowhere.example' })
    expect(page.path).toBe('/login/confirmResetPassword')
    expect(page.html).toContain('n**y@nowhere.example')
  })

  it('says what to do when a code has expired', async () => {
    const { answer } = await arrive(LENA, '?forgotPassword=true')
    await answer('forgotPassword', { username: LENA })
    const confirmation_code = await world.codeFor(LENA)
    await world.accounts.query('update identity.codes set expires_at = now()')
    const late = { confirmation_code, password: PASSWORD, confirm_password: PASSWORD }
    const page = await answer('confirmResetPassword', late)
    expect(page.html).toContain('Invalid code provided, please request a code again.')
    expect(page.html).toContain('Resend Code')
    await world.accounts.query(`update identity.codes set sent = '{epoch}'`)
    expect((await answer('confirmResetPassword', { intent: 'resend' })).response.status).toBe(200)
  })

  it('is required when an administrator asked for it', async () => {
    await world.change(LENA, `status = 'RESET_REQUIRED'`)
    const { answer } = await arrive(LENA)
    const page = await answer('signIn', { username: LENA, password: 'words of my own' })
    expect(page.path).toBe('/login/confirmResetPassword')
    await world.change(LENA, `status = 'CONFIRMED'`)
  })
})

describe('A second factor', () => {
  it('can be an authenticator app, set up from its QR code or secret', async () => {
    await world.setTenant(`settings = settings || '{"admins_need_second_factor": true}'`)
    const credentials = { username: TESS, password: passwordOf(TESS) }
    const { answer, open, isIn } = await arrive(TESS)
    const page = await answer('signIn', credentials)
    expect(page.path).toBe('/login/setupTotp')
    expect(page.html).toMatch(/<svg[^>]*width="228"[^>]*height="228"/)
    for (const words of ['Setup TOTP', 'Copy and paste the secret key below into an authenticator app'])
      expect(page.html).toContain(words)
    const secretIn = (html: string) => /id="totp-secret"[^>]*>([A-Z2-7]{32})</.exec(html)?.[1] ?? ''
    const secret = secretIn(page.html)
    expect(secretIn((await open('/login/setupTotp')).html)).toBe(secret)
    const wrong = await answer('setupTotp', { confirmation_code: '12345' })
    expect(wrong.html).toContain('Code mismatch')
    expect(secretIn(wrong.html)).toBe(secret)
    const first = await generate({ secret })
    await answer('setupTotp', { confirmation_code: spaced(first) })
    expect(isIn()).toBe(true)

    const again = await arrive(TESS)
    const asked = await again.answer('signIn', credentials)
    expect(asked.path).toBe('/login/confirmSignIn')
    expect(asked.html).toContain('Confirm TOTP Code')
    expect(asked.html).not.toContain(secret)
    const used = await again.answer('confirmSignIn', { confirmation_code: first })
    expect(used.html).toContain('Your software token has already been used once.')
    await world.change(TESS, 'totp_last_step = totp_last_step - 5')
    await again.answer('confirmSignIn', { confirmation_code: await generate({ secret }) })
    expect(again.isIn()).toBe(true)
    await world.setTenant(`settings = settings - 'admins_need_second_factor'`)
    await world.change(TESS, 'preferred_mfa = null, totp_secret_sealed = null')
  })

  it('can be a code by text', async () => {
    const phone = '+15551111111'
    const attributes = JSON.stringify({ phone_number: phone, phone_number_verified: true })
    await world.change(TESS, `preferred_mfa = 'SMS_MFA', attributes = attributes || '${attributes}'`)
    const { answer, isIn } = await arrive(TESS)
    const page = await answer('signIn', { username: TESS, password: passwordOf(TESS) })
    expect(page.path).toBe('/login/confirmSignIn')
    expect(page.html).toContain('Confirm SMS Code')
    expect(page.html).toContain('********1111')
    const code = await world.codeFor(phone)
    const wrong = await answer('confirmSignIn', { confirmation_code: other(code) })
    expect(wrong.html).toContain('Invalid code or auth state for the user.')
    expect(wrong.html).toContain('Enter the code of the latest text.')
    await answer('confirmSignIn', { confirmation_code: code })
    expect(isIn()).toBe(true)
    await world.change(TESS, 'preferred_mfa = null')
  })
})

describe('Account recovery requires verified contact information', () => {
  const chosenIn = (html: string) =>
    [...html.matchAll(/<input(?=[^>]*type="radio")(?=[^>]* checked)[^>]*value="(\w+)"/g)].map(
      ([, value]) => value,
    )
  const unverified = () =>
    world.change(
      'ravi@testing.example',
      `attributes = attributes || '{"email_verified": false, "phone_number": "+15552222222"}'`,
    )
  async function signIn() {
    await unverified()
    const username = 'ravi@testing.example'
    const hands = await arrive(username)
    return { ...hands, page: await hands.answer('signIn', { username, password: passwordOf(username) }) }
  }

  it('accepts a contact and its code', async () => {
    const { page, answer, isIn } = await signIn()
    expect(page.path).toBe('/login/verifyUser')
    for (const words of [
      'Account recovery requires',
      'Email: r**i@testing.example',
      'Phone Number: ********2222',
    ])
      expect(page.html).toContain(words)
    expect(chosenIn(page.html)).toEqual(['email'])
    expect(page.html).toMatch(/<fieldset [^>]*name="verify_context"/)
    expect((await answer('verifyUser', {})).html).toContain('This field is required')
    expect((await answer('verifyUser', { unverifiedAttr: 'sub' })).response.status).toBe(400)
    const sent = await answer('verifyUser', { unverifiedAttr: 'phone_number' })
    expect(sent.path).toBe('/login/confirmVerifyUser')
    expect(sent.html).toContain('texted to ********2222')
    await answer('confirmVerifyUser', { confirmation_code: await world.codeFor('+15552222222') })
    expect(isIn()).toBe(true)
  })

  it('can be skipped at both steps', async () => {
    const first = await signIn()
    await first.answer('verifyUser', { intent: 'skip' })
    expect(first.isIn()).toBe(true)
    const second = await signIn()
    await second.answer('verifyUser', { unverifiedAttr: 'email' })
    await second.answer('confirmVerifyUser', { intent: 'skip' })
    expect(second.isIn()).toBe(true)
    await world.change('ravi@testing.example', `attributes = attributes || '{"email_verified": true}'`)
  })
})

describe('At any step of the sign-in', () => {
  it('a reload, Back and a second tab lead to the right screen', async () => {
    const { answer, open } = await arrive(LENA)
    await answer('forgotPassword', { username: LENA })
    expect((await open('/login/confirmResetPassword')).response.status).toBe(200)
    expect((await open('/login/confirmSignIn')).path).toBe('/login/confirmResetPassword')
    // Back, to correct the address.
    expect((await open('/login/forgotPassword')).path).toBe('/login/forgotPassword')
    // Another tab still shows the screen for the code, and the code works there as before.
    const late = { confirmation_code: '123456', password: PASSWORD, confirm_password: PASSWORD }
    const guessed = await answer('confirmResetPassword', late)
    expect(guessed.path).toBe('/login/confirmResetPassword')
    expect(guessed.html).toMatch(/Invalid (verification )?code provided/)
    expect((await answer('signIn', { username: LENA, password: 'wrong' })).html).toContain(
      'Incorrect username',
    )
    expect((await answer('signIn', { intent: 'skip' })).path).toBe('/login/signIn')
  })

  it('a tab that is still signing in goes to its page once another tab has signed in', async () => {
    const { visitor, answer, isIn } = await arrive(LENA, '?redirect=/settings/profile')
    await visitor.follow(await visitor.submit('/login?redirect=/learner', { email: LENA }))
    await answer('signIn', { username: LENA, password: 'words of my own' })
    expect(isIn()).toBe(true)
    expect((await visitor.visit('/login/signIn')).headers.get('location')).toBe('/settings/profile')
    expect((await visitor.visit('/login/signIn')).headers.get('location')).toBe('/')
  })

  it('a step that was not reached cannot be opened', async () => {
    const { answer, open, isIn } = await arrive(TESS)
    for (const screen of ['confirmSignIn', 'setupTotp', 'verifyUser', 'confirmVerifyUser', 'transition']) {
      expect((await open(`/login/${screen}`)).path).toBe('/login/signIn')
      expect((await answer(screen, { intent: 'skip', confirmation_code: '1' })).path).toBe('/login/signIn')
    }
    expect(isIn()).toBe(false)
  })

  it('a sign-in that has expired says where to start again', async () => {
    const { answer, open } = await arrive(LENA, '?forgotPassword=true')
    await answer('forgotPassword', { username: LENA })
    await world.accounts.query(
      `update identity.models set expires_at = now(), payload = payload || '{"exp": 1}' where kind = 'Interaction'`,
    )
    const page = await open('/login/confirmResetPassword')
    expect(page.response.status).toBe(410)
    expect(page.html).toMatch(/<a[^>]*href="\/login"[^>]*>Back to Sign In/)
    const late = await answer('confirmResetPassword', { confirmation_code: '1' })
    expect(late.path).toBe('/login?expired=1')
    expect(late.html).toContain('Your sign-in expired, try again')
  })

  it('a disabled person reads “User is disabled.”', async () => {
    await world.change(LENA, 'enabled = false')
    const { answer } = await arrive(LENA)
    const page = await answer('signIn', { username: LENA, password: 'words of my own' })
    expect(page.html).toContain('User is disabled.')
    await world.change(LENA, 'enabled = true')
  })
})
