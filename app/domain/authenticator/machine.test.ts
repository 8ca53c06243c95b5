import { describe, expect, it } from 'vitest'
import type { Action, Answer, Call, Effect, Event } from './events.ts'
import { transition } from './machine.ts'
import { WAIT_MS } from './outcomes.ts'
import {
  at,
  CODE_ROUTES,
  type CodeDelivery,
  ENTRANCES,
  idle,
  ROUTES,
  type Route,
  type State,
} from './state.ts'

const username = 'nina@acme.example'
const me = idle(username)
const on = (route: Route, more: Partial<State> = {}) => at(me, route, more)
const leaving = (from: Route, more: Partial<State> = {}) => on('transition', { from, ...more })
const delivery: CodeDelivery = { destination: 'n**a@acme.example', medium: 'EMAIL', attribute_name: 'email' }
const failed = (call: Call, name = 'NotAuthorizedException', message = 'No.', now = 0): Answer => ({
  type: 'failed',
  call,
  name,
  message,
  now,
})

const ACTIONS: Action[] = [
  { type: 'START', initial: 'signIn', has_user: false },
  { type: 'GO', to: 'signIn' },
  { type: 'SIGN_IN', username, password: 'secret' },
  { type: 'SIGN_UP', username, password: 'secret', user_attributes: { given_name: 'Nina' } },
  { type: 'FORGOT_PASSWORD', username },
  { type: 'CODE', confirmation_code: '123456' },
  { type: 'RESET', confirmation_code: '123456', new_password: 'secret' },
  { type: 'NEW_PASSWORD', password: 'secret', user_attributes: { given_name: 'Nina' } },
  { type: 'VERIFY', attribute: 'email' },
  { type: 'RESEND' },
  { type: 'SKIP' },
  { type: 'BACK' },
  { type: 'POLL', now: 0 },
  { type: 'SIGN_OUT' },
]

const VERIFYING = { unverified: { email: 'n**a@acme.example' }, attribute: 'email' } as const

/** A state for each screen, with its data. */
const STATES: Record<Route, State> = {
  ...(Object.fromEntries(ROUTES.map((route) => [route, on(route)])) as Record<Route, State>),
  transition: leaving('signIn'),
  verifyUser: on('verifyUser', { unverified: VERIFYING.unverified }),
  confirmVerifyUser: on('confirmVerifyUser', VERIFYING),
}

/** For each state, every valid action, and the call or screen to which it leads. */
const MEANING: Record<Route, Partial<Record<Action['type'], Call | Route>>> = {
  idle: { START: 'signIn', SIGN_OUT: 'signOut' },
  setup: { START: 'signIn', SIGN_OUT: 'signOut' },
  transition: {},
  signIn: { GO: 'signIn', SIGN_IN: 'signIn', SIGN_OUT: 'signOut' },
  signUp: { GO: 'signIn', BACK: 'cancel', SIGN_UP: 'signUp', SIGN_OUT: 'signOut' },
  forgotPassword: { GO: 'signIn', BACK: 'cancel', FORGOT_PASSWORD: 'resetPassword', SIGN_OUT: 'signOut' },
  confirmSignUp: {
    GO: 'signIn',
    BACK: 'signIn',
    CODE: 'confirmSignUp',
    RESEND: 'resendSignUpCode',
    SIGN_OUT: 'signOut',
  },
  confirmResetPassword: {
    GO: 'signIn',
    BACK: 'signIn',
    RESET: 'confirmResetPassword',
    RESEND: 'resetPassword',
    SIGN_OUT: 'signOut',
  },
  confirmSignIn: { BACK: 'cancel', CODE: 'confirmSignIn', SIGN_OUT: 'signOut' },
  setupTotp: { BACK: 'cancel', CODE: 'confirmSignIn', SIGN_OUT: 'signOut' },
  forceNewPassword: { BACK: 'cancel', NEW_PASSWORD: 'confirmSignIn', SIGN_OUT: 'signOut' },
  verifyUser: { SKIP: 'complete', VERIFY: 'sendUserAttributeVerificationCode', SIGN_OUT: 'signOut' },
  confirmVerifyUser: {
    SKIP: 'complete',
    CODE: 'confirmUserAttribute',
    RESEND: 'sendUserAttributeVerificationCode',
    SIGN_OUT: 'signOut',
  },
  authenticated: { SIGN_OUT: 'signOut' },
  signOut: { SIGN_OUT: 'signOut' },
}

describe('Every action in every state', () => {
  const pairs = ROUTES.flatMap((route) => ACTIONS.map((action) => ({ route, type: action.type, action })))

  it.each(pairs)(
    '$type in $route leads to its call or screen, or changes nothing',
    ({ route, type, action }) => {
      const state = STATES[route]
      const meant = MEANING[route][type]
      const { state: next, effect } = transition(state, action)
      if (meant === undefined) {
        expect({ next, effect }).toEqual({ next: state, effect: null })
      } else if (effect) {
        expect(effect.call).toBe(meant)
        expect(next.route).toBe('transition')
        expect(next.from).toBe(type === 'SIGN_OUT' ? 'signOut' : route)
      } else {
        expect(next.route).toBe(meant)
      }
      expect(JSON.stringify(next)).not.toContain('secret')
    },
  )
})

describe('Every answer of the provider', () => {
  const answers: Answer[] = [
    { type: 'signedIn', step: 'DONE' },
    { type: 'signedUp', step: 'DONE' },
    { type: 'signUpConfirmed', step: 'DONE' },
    { type: 'codeSent', call: 'resetPassword', delivery },
    { type: 'passwordReset' },
    { type: 'attributesFetched', attributes: {} },
    { type: 'attributeConfirmed' },
    { type: 'cancelled' },
    { type: 'completed' },
    { type: 'signedOut' },
    failed('signIn'),
  ]
  const resting = ROUTES.filter((route) => route !== 'transition')

  it.each(answers)('$type changes nothing if no screen waits for it', (answer) => {
    for (const route of resting)
      expect(transition(STATES[route], answer)).toEqual({ state: STATES[route], effect: null })
  })
})

describe('The first screen', () => {
  it.each(ENTRANCES)('is %s if that is configured', (initial) => {
    const { state } = transition(me, { type: 'START', initial, has_user: false })
    expect(state).toEqual(on(initial))
  })

  it('is skipped if the person is already signed in', () => {
    const { state } = transition(me, { type: 'START', initial: 'signIn', has_user: true })
    expect(state.route).toBe('authenticated')
  })

  it('can be changed to each of the entrances', () => {
    for (const from of ENTRANCES)
      for (const to of ENTRANCES) expect(transition(on(from), { type: 'GO', to }).state).toEqual(on(to))
  })
})

describe('A code that was sent', () => {
  it.each(CODE_ROUTES)('for %s stays reachable from every entrance, by Back and by a link', (route) => {
    const code = on(route, { delivery })
    for (const first of ENTRANCES)
      for (const second of ENTRANCES) {
        const away = transition(transition(code, { type: 'GO', to: first }).state, { type: 'GO', to: second })
        expect(away.state).toEqual(on(second, { pending_code: { route, username, delivery } }))
        expect(transition(away.state, { type: 'GO', to: route }).state).toEqual(code)
      }
    expect(transition(transition(code, { type: 'BACK' }).state, { type: 'GO', to: route }).state).toEqual(
      code,
    )
  })

  it('stays reachable after a wrong password, even another person’s', () => {
    const left = transition(on('confirmSignUp', { delivery }), { type: 'GO', to: 'signIn' }).state
    const asked = transition(left, { type: 'SIGN_IN', username: 'other@acme.example', password: 'x' }).state
    const refused = transition(asked, failed('signIn')).state
    expect(transition(refused, { type: 'GO', to: 'confirmSignUp' }).state).toEqual(
      on('confirmSignUp', { delivery }),
    )
  })

  it('does not open a code screen for which no code was sent', () => {
    const code = transition(on('confirmSignUp', { delivery }), { type: 'GO', to: 'signUp' }).state
    expect(transition(code, { type: 'GO', to: 'confirmResetPassword' })).toEqual(shows(code))
    for (const to of CODE_ROUTES)
      expect(transition(on('signIn'), { type: 'GO', to })).toEqual(shows(on('signIn')))
  })

  it('is announced as one of several if the same person signs up again', () => {
    const answer: Answer = { type: 'signedUp', step: 'CONFIRM_SIGN_UP', delivery }
    const pending_code = { route: 'confirmSignUp', username, delivery } as const
    expect(then('signUp', answer, { pending_code }).state.notice).toContain('latest message')
    const another = { ...pending_code, username: 'other@acme.example' }
    expect(then('signUp', answer, { pending_code: another }).state.notice).toBeNull()
  })
})

/** What follows an answer, from the screen that asked. */
const then = (from: Route, answer: Answer, more: Partial<State> = {}) =>
  transition(leaving(from, more), answer)
const shows = (state: State) => ({ state, effect: null })
const calls = (from: Route, effect: Effect) => ({ state: leaving(from), effect })

describe('A sign-in', () => {
  it('fetches the attributes when it is done', () => {
    expect(then('signIn', { type: 'signedIn', step: 'DONE' })).toEqual(
      calls('signIn', { call: 'fetchUserAttributes' }),
    )
  })

  it('leads to a new password, with the attributes that the provider requires', () => {
    const missing_attributes = ['given_name']
    const step = 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED'
    expect(then('signIn', { type: 'signedIn', step, missing_attributes })).toEqual(
      shows(on('forceNewPassword', { missing_attributes })),
    )
  })

  it('leads to a code by text, a code from an app, or the setup of the app', () => {
    expect(then('signIn', { type: 'signedIn', step: 'CONFIRM_SIGN_IN_WITH_SMS_CODE', delivery })).toEqual(
      shows(on('confirmSignIn', { challenge: 'SMS_MFA', delivery })),
    )
    expect(then('forceNewPassword', { type: 'signedIn', step: 'CONFIRM_SIGN_IN_WITH_TOTP_CODE' })).toEqual(
      shows(on('confirmSignIn', { challenge: 'SOFTWARE_TOKEN_MFA' })),
    )
    expect(then('signIn', { type: 'signedIn', step: 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP' })).toEqual(
      shows(on('setupTotp')),
    )
  })

  it('sends a new code to people who are unconfirmed or have to reset their password', () => {
    expect(then('signIn', { type: 'signedIn', step: 'CONFIRM_SIGN_UP' })).toEqual(
      calls('signIn', { call: 'resendSignUpCode', username, is_resend: false }),
    )
    expect(then('signIn', { type: 'codeSent', call: 'resendSignUpCode', delivery })).toEqual(
      shows(on('confirmSignUp', { delivery })),
    )
    expect(then('signIn', { type: 'signedIn', step: 'RESET_PASSWORD' })).toEqual(
      calls('signIn', { call: 'resetPassword', username, is_resend: false }),
    )
    expect(then('signIn', { type: 'codeSent', call: 'resetPassword', delivery })).toEqual(
      shows(on('confirmResetPassword', { delivery })),
    )
  })

  it('shows the code screen even if no further code can be sent', () => {
    expect(then('signIn', failed('resendSignUpCode', 'LimitExceededException'))).toEqual(
      shows(on('confirmSignUp')),
    )
    expect(then('signIn', failed('resetPassword', 'LimitExceededException'))).toEqual(
      shows(on('confirmResetPassword')),
    )
  })

  it.each(['signIn', 'confirmSignIn', 'setupTotp', 'forceNewPassword'] as const)(
    'that is refused stays on %s',
    (route) => {
      const call = route === 'signIn' ? 'signIn' : 'confirmSignIn'
      const kept: Partial<State> = { challenge: 'SMS_MFA', delivery, missing_attributes: ['name'] }
      expect(then(route, failed(call), kept)).toEqual(shows(on(route, kept)))
    },
  )
})

describe('Verified contacts', () => {
  const fetched = (attributes: Record<string, string>) =>
    then('signIn', { type: 'attributesFetched', attributes })

  it('are requested if the person has none', () => {
    for (const email_verified of [undefined, 'false'])
      expect(
        fetched({
          email: 'tess@example.com',
          phone_number: '+15551111111',
          ...(email_verified && { email_verified }),
        }),
      ).toEqual(
        shows(on('verifyUser', { unverified: { email: 't**s@example.com', phone_number: '********1111' } })),
      )
  })

  it('are not requested if there is one, nothing to verify, or no attributes can be read', () => {
    const complete = calls('signIn', { call: 'complete' })
    expect(fetched({ email: 'a@b.c', email_verified: 'true', phone_number: '+1555' })).toEqual(complete)
    expect(fetched({ email: 'a@b.c', email_verified: 'false', phone_number_verified: 'true' })).toEqual(
      complete,
    )
    expect(fetched({})).toEqual(complete)
    expect(then('signIn', failed('fetchUserAttributes'))).toEqual(complete)
  })

  it('need a code, which completes the sign-in', () => {
    const { state, effect } = transition(STATES.verifyUser, { type: 'VERIFY', attribute: 'email' })
    expect(effect).toEqual({ call: 'sendUserAttributeVerificationCode', key: 'email', is_resend: false })
    const call = 'sendUserAttributeVerificationCode'
    expect(transition(state, { type: 'codeSent', call, delivery })).toEqual(
      shows(on('confirmVerifyUser', { ...VERIFYING, delivery })),
    )
    expect(then('confirmVerifyUser', { type: 'attributeConfirmed' })).toEqual(
      calls('confirmVerifyUser', { call: 'complete' }),
    )
    expect(then('confirmVerifyUser', { type: 'completed' })).toEqual(shows(on('authenticated')))
  })

  it('can only be chosen from those that were offered', () => {
    expect(transition(STATES.verifyUser, { type: 'VERIFY', attribute: 'phone_number' })).toEqual(
      shows(STATES.verifyUser),
    )
    expect(transition(on('confirmVerifyUser'), { type: 'RESEND' })).toEqual(shows(on('confirmVerifyUser')))
  })
})

describe('A sign-up', () => {
  it('leads to the sign-in, signs in by itself, or asks for a code', () => {
    expect(then('signUp', { type: 'signedUp', step: 'DONE' })).toEqual(shows(on('signIn')))
    expect(then('signUp', { type: 'signedUp', step: 'COMPLETE_AUTO_SIGN_IN' })).toEqual(
      calls('signUp', { call: 'autoSignIn' }),
    )
    expect(then('signUp', { type: 'signedUp', step: 'CONFIRM_SIGN_UP', delivery })).toEqual(
      shows(on('confirmSignUp', { delivery })),
    )
  })

  it('that is confirmed signs in by itself if the provider allows it, or leads to the sign-in', () => {
    expect(then('confirmSignUp', { type: 'signUpConfirmed', step: 'COMPLETE_AUTO_SIGN_IN' })).toEqual(
      calls('confirmSignUp', { call: 'autoSignIn' }),
    )
    expect(then('confirmSignUp', { type: 'signUpConfirmed', step: 'DONE' }).state).toMatchObject({
      route: 'signIn',
      notice: 'Your account is confirmed. You can sign in now.',
    })
  })

  it('waits for at most three minutes until the provider is ready', () => {
    const first = then('confirmSignUp', failed('autoSignIn', 'UserNotReadyException', '', 1000)).state
    expect(first).toEqual(leaving('signIn', { waiting_since: 1000 }))
    expect(transition(first, { type: 'POLL', now: 6000 })).toEqual({
      state: first,
      effect: { call: 'autoSignIn' },
    })
    const late = failed('autoSignIn', 'UserNotReadyException', '', 1000 + WAIT_MS - 1)
    expect(transition(first, late).state).toEqual(first)
    const tooLate = failed('autoSignIn', 'UserNotReadyException', '', 1000 + WAIT_MS)
    expect(transition(first, tooLate).state).toMatchObject({ route: 'signIn', username })
    expect(transition(first, failed('autoSignIn')).state.route).toBe('signIn')
    expect(transition(first, { type: 'BACK' }).effect).toEqual({ call: 'cancel' })
    expect(transition(first, { type: 'signedIn', step: 'DONE' }).effect).toEqual({
      call: 'fetchUserAttributes',
    })
  })

  it('that was already confirmed leads to the sign-in without an error', () => {
    const answer = failed('resendSignUpCode', 'InvalidParameterException', 'User is already confirmed.')
    expect(then('confirmSignUp', answer)).toEqual(shows(on('signIn')))
    expect(then('confirmSignUp', failed('resendSignUpCode'), { delivery })).toEqual(
      shows(on('confirmSignUp', { delivery })),
    )
  })
})

describe('A forgotten password', () => {
  it('needs a code and a new password, and then leads to the sign-in', () => {
    const { effect } = transition(on('forgotPassword'), { type: 'FORGOT_PASSWORD', username: 'b@c.d' })
    expect(effect).toEqual({ call: 'resetPassword', username: 'b@c.d', is_resend: false })
    expect(then('forgotPassword', { type: 'codeSent', call: 'resetPassword', delivery })).toEqual(
      shows(on('confirmResetPassword', { delivery })),
    )
    expect(then('confirmResetPassword', { type: 'passwordReset' }).state).toMatchObject({
      route: 'signIn',
      notice: 'Your password was changed. Sign in with the new one.',
    })
  })

  it('stays on its screen when the provider refuses', () => {
    expect(then('forgotPassword', failed('resetPassword'))).toEqual(shows(on('forgotPassword')))
    expect(then('confirmResetPassword', failed('confirmResetPassword'), { delivery })).toEqual(
      shows(on('confirmResetPassword', { delivery })),
    )
  })
})

describe('The state machine', () => {
  it('forgets the person at sign-out, which stays pending if the provider fails', () => {
    expect(then('signOut', { type: 'signedOut' })).toEqual(shows(idle()))
    expect(then('signOut', failed('signOut'))).toEqual(shows(on('signOut')))
    expect(then('confirmSignIn', { type: 'cancelled' }, { challenge: 'SMS_MFA' })).toEqual(
      shows(on('signIn')),
    )
  })

  it('ignores events of an unknown type', () => {
    const odd = { type: 'constructor' } as unknown as Event
    expect(transition(leaving('signIn'), odd)).toEqual(shows(leaving('signIn')))
    expect(transition(on('signIn'), { type: 'TOSTRING' } as unknown as Event)).toEqual(shows(on('signIn')))
  })
})
