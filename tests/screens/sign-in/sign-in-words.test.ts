/** Every sign-in screen has the heading, the buttons and the links that the specification names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idle, type Route, type State } from '#app/domain/authenticator/state.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import { arrive, openWorld, type World } from './sign-in-world.ts'

const EMAIL = 'lena@testing.example'

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

const BY_MAIL = { destination: 't**t@example.com', medium: 'EMAIL', attribute_name: 'email' } as const
const BY_TEXT = { destination: '********1111', medium: 'SMS', attribute_name: 'phone_number' } as const

type Words = {
  is?: Partial<State>
  heading: string
  buttons: string[]
  links?: string[]
  says?: string
  /** The placeholders of the fields. */
  fields?: Record<string, string>
}
const EMAIL_FIELD = { Email: 'Enter your Email' }
const CODE_FIELD = { Code: 'Enter your code' }
const CONFIRMATION_CODE_FIELD = { 'Confirmation Code': 'Enter your code' }
const NEW_PASSWORD_FIELDS = {
  'New Password': 'Enter your Password',
  'Confirm Password': 'Please confirm your Password',
}
const CASES: [Route, Words][] = [
  [
    'signIn',
    {
      heading: 'Sign In',
      buttons: ['Sign In'],
      fields: { ...EMAIL_FIELD, Password: 'Enter your Password' },
      links: ['Sign In', 'Create Account', 'Forgot your password?', 'Use another email'],
    },
  ],
  [
    'signUp',
    {
      heading: 'Create Account',
      buttons: ['Create Account'],
      fields: {
        ...EMAIL_FIELD,
        Password: 'Enter your Password',
        'Confirm Password': 'Please confirm your Password',
      },
      links: ['Sign In', 'Create Account', 'Use another email'],
    },
  ],
  [
    'confirmSignUp',
    {
      is: { delivery: BY_MAIL },
      fields: CONFIRMATION_CODE_FIELD,
      heading: 'We Emailed You',
      buttons: ['Confirm', 'Resend Code', 'Back to Sign In'],
      says: 'Your code is on the way. To log in, enter the code we emailed to t**t@example.com. It may take a minute to arrive.',
    },
  ],
  [
    'confirmSignUp',
    {
      is: { delivery: BY_TEXT },
      fields: CONFIRMATION_CODE_FIELD,
      heading: 'We Texted You',
      buttons: ['Confirm', 'Resend Code', 'Back to Sign In'],
      says: 'Your code is on the way. To log in, enter the code we texted to ********1111. It may take a minute to arrive.',
    },
  ],
  [
    'confirmSignUp',
    {
      fields: CONFIRMATION_CODE_FIELD,
      heading: 'We Sent A Code',
      buttons: ['Confirm', 'Resend Code', 'Back to Sign In'],
    },
  ],
  [
    'confirmSignIn',
    {
      is: { challenge: 'SMS_MFA', delivery: BY_TEXT },
      fields: CODE_FIELD,
      heading: 'Confirm SMS Code',
      buttons: ['Confirm', 'Resend Code', 'Back to Sign In'],
    },
  ],
  [
    'confirmSignIn',
    {
      is: { challenge: 'SMS_MFA', delivery: BY_MAIL },
      fields: CODE_FIELD,
      heading: 'Confirm Email Code',
      buttons: ['Confirm', 'Resend Code', 'Back to Sign In'],
      says: 'enter the code we emailed to t**t@example.com',
    },
  ],
  [
    'confirmSignIn',
    {
      is: { challenge: 'SOFTWARE_TOKEN_MFA' },
      fields: CODE_FIELD,
      heading: 'Confirm TOTP Code',
      buttons: ['Confirm', 'Back to Sign In'],
    },
  ],
  [
    'setupTotp',
    {
      fields: CODE_FIELD,
      heading: 'Setup TOTP',
      buttons: ['Confirm', 'Back to Sign In'],
      says: 'Copy and paste the secret key below into an authenticator app and then enter the code in the text field below.',
    },
  ],
  [
    'forceNewPassword',
    {
      fields: NEW_PASSWORD_FIELDS,
      heading: 'Change Password',
      buttons: ['Change Password', 'Back to Sign In'],
    },
  ],
  [
    'forgotPassword',
    {
      heading: 'Reset your password',
      buttons: ['Send Code', 'Back to Sign In'],
      says: 'We send a code to ',
    },
  ],
  [
    'confirmResetPassword',
    {
      fields: { ...CODE_FIELD, ...NEW_PASSWORD_FIELDS },
      heading: 'Reset your password',
      buttons: ['Submit', 'Resend Code', 'Back to Sign In'],
    },
  ],
  [
    'verifyUser',
    {
      is: { unverified: { email: 't**t@example.com' } },
      heading: 'Account recovery requires verified contact information',
      buttons: ['Verify', 'Skip'],
      says: 'Email: t**t@example.com',
    },
  ],
  [
    'confirmVerifyUser',
    {
      is: { attribute: 'email', delivery: BY_MAIL },
      fields: CODE_FIELD,
      heading: 'Account recovery requires verified contact information',
      buttons: ['Submit', 'Resend Code', 'Skip'],
      says: 'To verify your email, enter the code we emailed to',
    },
  ],
]

const plain = (html: string) => html.replace(/<!-- -->/g, '').replace(/&#x27;/g, "'")
const textsOf = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}[ >][^>]*>?([^<]*)</${tag}>`, 'g'))].map(
    ([, text]) => text?.trim() ?? '',
  )

/** A tab contains its words twice: visibly, and to reserve the width of the selected one. */
const linksIn = (html: string) =>
  [...html.matchAll(/<a [^>]*>([\s\S]*?)<\/a>/g)].map(([, inner = '']) =>
    inner.replace(/<[^>]+>/g, '').replace(/^(.+)\1$/, '$1'),
  )

const fieldsIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<label[^>]*for="([^"]+)"[^>]*>([^<]*)/g)].flatMap(([, id, label]) => {
      const field = new RegExp(`<input[^>]*id="${id}"[^>]*>`).exec(html)?.[0] ?? ''
      const placeholder = /placeholder="([^"]*)"/.exec(field)?.[1]
      return placeholder ? [[label, placeholder]] : []
    }),
  )

describe('The words of', () => {
  it.each(CASES)('%s', async (route, { is = {}, heading, buttons, links, says, fields = {} }) => {
    const { visitor } = await arrive(site, EMAIL)
    const state = { ...idle(EMAIL), route, ...is }
    await world.accounts.query(`update identity.models set progress = $1 where kind = 'Interaction'`, [state])
    const answer = await visitor.visit(`/login/${route}`)
    expect(answer.status).toBe(200)
    const main = plain(/<main[\s\S]*<\/main>/.exec(await answer.text())?.[0] ?? '')
    expect(textsOf(main, 'h1')).toEqual([heading])
    expect(textsOf(main, 'button').filter((text) => text !== '')).toEqual(buttons)
    expect(linksIn(main)).toEqual(expect.arrayContaining(links ?? []))
    if (says) expect(main).toContain(says)
    expect(fieldsIn(main)).toEqual(fields)
    const inputs = main.match(/<input(?![^>]*hidden)[^>]*type="(text|email|password|tel)"/g) ?? []
    const marks = main.match(/class="required-mark"/g) ?? []
    expect(marks.length).toBeGreaterThanOrEqual(Math.min(1, inputs.length))
  })
})
