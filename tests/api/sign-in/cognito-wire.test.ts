/** Replayed wire formats of Cognito itself: those that `cognito-local` lacks, and failures. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as account from '#app/auth/cognito/account.server.ts'
import { type CognitoClient, createCognitoClient } from '#app/auth/cognito/client.server.ts'
import { confirmSignIn, signIn, signInWithSession } from '#app/auth/cognito/sign-in.server.ts'
import type { Pool } from '#app/auth/pools/pools.server.ts'
import { setSecret } from '#app/auth/seal.server.ts'
import { GAPS } from '#tests/fakes/cognito-local.ts'

type Reply = { status?: number; body?: object; hangUp?: boolean }
let server: Server
let client: CognitoClient
/** The next replies, and the requests received. */
const replies: Reply[] = []
const calls: { target: string; body: Record<string, unknown> }[] = []

beforeAll(async () => {
  setSecret('a-secret-for-tests-of-at-least-32-characters')
  server = createServer(async (req, res) => {
    let text = ''
    for await (const chunk of req) text += chunk
    const target = String(req.headers['x-amz-target']).split('.')[1] ?? ''
    calls.push({ target, body: JSON.parse(text) })
    const { status = 200, body = {}, hangUp } = replies.shift() ?? { status: 500 }
    if (hangUp) return void req.socket.destroy()
    res.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  client = createCognitoClient({
    id: 'wire',
    kind: 'cognito',
    issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab12Cd34E',
    client_id: 'client',
    client_secret_sealed: null,
    settings: { api_endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
  } as Pool)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  replies.length = 0
  calls.length = 0
})

const WHO = { username: 'adam@example.com', password: 'secret' }
const DONE = { AuthenticationResult: { AccessToken: 'a', IdToken: 'i', RefreshToken: 'r', ExpiresIn: 3600 } }
const refuse = (type: string, message: string): Reply => ({ status: 400, body: { __type: type, message } })
const named = (name: string) => expect.objectContaining({ name })
const targets = () => calls.map(({ target }) => target)

describe(`Setup of a second factor (cognito-local: ${GAPS.mfaSetup})`, () => {
  it('sets up an authenticator app during the sign-in', async () => {
    replies.push(
      {
        body: {
          ChallengeName: 'MFA_SETUP',
          Session: 's1',
          ChallengeParameters: { USER_ID_FOR_SRP: 'id-1', MFAS_CAN_SETUP: '["SOFTWARE_TOKEN_MFA"]' },
        },
      },
      { body: { SecretCode: 'ABCDEFGH', Session: 's2' } },
    )
    const { step, progress } = await signIn(client, WHO)
    expect(step).toEqual({ step: 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP' })
    expect(progress).toMatchObject({ totp_secret: 'ABCDEFGH', session: 's2', user_id: 'id-1' })

    replies.push(refuse('EnableSoftwareTokenMFAException', 'Code mismatch'))
    const wrong = confirmSignIn(client, progress, { challenge_response: '000000' })
    await expect(wrong).rejects.toEqual(named('EnableSoftwareTokenMFAException'))
    replies.push({ body: { Status: 'SUCCESS', Session: 's3' } }, { body: DONE })
    const right = await confirmSignIn(client, progress, { challenge_response: '123456' })
    expect(right.progress.tokens?.access_token).toBe('a')
    expect(calls.at(-1)).toEqual({
      target: 'RespondToAuthChallenge',
      body: {
        ChallengeName: 'MFA_SETUP',
        ClientId: 'client',
        Session: 's3',
        ChallengeResponses: { USERNAME: 'id-1' },
      },
    })
  })

  it('refuses the sign-in if the pool allows only texts', async () => {
    const ChallengeParameters = { MFAS_CAN_SETUP: '["SMS_MFA"]' }
    replies.push({ body: { ChallengeName: 'MFA_SETUP', Session: 's', ChallengeParameters } })
    await expect(signIn(client, WHO)).rejects.toEqual(named('UnsupportedUserStateException'))
  })
})

describe('Challenges', () => {
  it('by text and by e-mail say where the code was sent, and accept the right code', async () => {
    for (const [ChallengeName, medium] of [
      ['SMS_MFA', 'SMS'],
      ['EMAIL_OTP', 'EMAIL'],
    ] as const) {
      const ChallengeParameters = {
        USER_ID_FOR_SRP: 'id-1',
        CODE_DELIVERY_DELIVERY_MEDIUM: medium,
        CODE_DELIVERY_DESTINATION: '+*******1111',
      }
      replies.push({ body: { ChallengeName, Session: 's1', ChallengeParameters } })
      const { step, progress } = await signIn(client, WHO)
      expect(step).toMatchObject({
        step: 'CONFIRM_SIGN_IN_WITH_SMS_CODE',
        delivery: { medium, destination: '+*******1111' },
      })
      replies.push(refuse('CodeMismatchException', 'Invalid code received for user'))
      await expect(confirmSignIn(client, progress, { challenge_response: '0' })).rejects.toThrow(
        'Invalid code received for user',
      )
      replies.push({ body: DONE })
      expect((await confirmSignIn(client, progress, { challenge_response: '123456' })).step.step).toBe('DONE')
      expect(calls.at(-1)?.body.ChallengeResponses).toEqual({
        USERNAME: 'id-1',
        [`${ChallengeName}_CODE`]: '123456',
      })
    }
  })

  it('with a choice of two factors select the authenticator app', async () => {
    const MFAS_CAN_CHOOSE = '["SMS_MFA","SOFTWARE_TOKEN_MFA"]'
    replies.push(
      { body: { ChallengeName: 'SELECT_MFA_TYPE', Session: 's1', ChallengeParameters: { MFAS_CAN_CHOOSE } } },
      { body: { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: 's2', ChallengeParameters: {} } },
    )
    expect((await signIn(client, WHO)).step.step).toBe('CONFIRM_SIGN_IN_WITH_TOTP_CODE')
    expect(calls.at(-1)?.body.ChallengeResponses).toMatchObject({ ANSWER: 'SOFTWARE_TOKEN_MFA' })
  })

  it('ask for the missing attributes, and send them', async () => {
    const requiredAttributes = '["userAttributes.given_name","userAttributes.phone_number"]'
    const ChallengeParameters = { USER_ID_FOR_SRP: 'id-1', requiredAttributes }
    replies.push({ body: { ChallengeName: 'NEW_PASSWORD_REQUIRED', Session: 's', ChallengeParameters } })
    const { step, progress } = await signIn(client, WHO)
    expect(step).toMatchObject({ missing_attributes: ['given_name', 'phone_number'] })
    replies.push({ body: DONE })
    const user_attributes = { given_name: 'Adam', phone_number: '+15550001111' }
    await confirmSignIn(client, progress, { challenge_response: 'new', user_attributes })
    expect(calls.at(-1)?.body.ChallengeResponses).toEqual({
      USERNAME: 'id-1',
      NEW_PASSWORD: 'new',
      'userAttributes.given_name': 'Adam',
      'userAttributes.phone_number': '+15550001111',
    })
  })
})

describe('Refusals', () => {
  it(`keep Cognito’s name and message (cognito-local: ${GAPS.disabledUser}; ${GAPS.limits})`, async () => {
    for (const [type, message] of [
      ['NotAuthorizedException', 'Incorrect username or password.'],
      ['NotAuthorizedException', 'User is disabled.'],
      ['NotAuthorizedException', 'Password attempts exceeded'],
      ['UserNotFoundException', 'User does not exist.'],
      ['LimitExceededException', 'Attempt limit exceeded, please try after some time.'],
      ['com.amazonaws.cognitoidentityprovider#ExpiredCodeException', 'Invalid code provided'],
    ] as const) {
      replies.push(refuse(type, message))
      const name = type.split('#').at(-1)
      await expect(signIn(client, WHO)).rejects.toEqual(expect.objectContaining({ name, message }))
    }
    expect(calls).toHaveLength(6)
  })

  it('of a wrong password have one name and message, whatever the server calls them', async () => {
    for (const [type, message] of [
      ['InvalidPasswordException', 'Invalid password'],
      ['NotAuthorizedException', 'User not authorized'],
    ] as const) {
      replies.push(refuse(type, message))
      await expect(signIn(client, WHO)).rejects.toMatchObject({
        name: 'NotAuthorizedException',
        message: 'Incorrect username or password.',
      })
    }
  })

  it('that ask for a new password or a confirmation lead to that step', async () => {
    replies.push(refuse('PasswordResetRequiredException', 'Password reset required for the user'))
    expect((await signIn(client, WHO)).step).toEqual({ step: 'RESET_PASSWORD' })
    replies.push(refuse('UserNotConfirmedException', 'User is not confirmed.'))
    expect((await signIn(client, WHO)).step).toEqual({ step: 'CONFIRM_SIGN_UP' })
  })

  it('that only an administrator can fix are configuration errors', async () => {
    for (const [type, message] of [
      ['ResourceNotFoundException', 'User pool client client does not exist.'],
      ['InvalidParameterException', 'USER_PASSWORD_AUTH flow not enabled for this client'],
      ['NotAuthorizedException', 'Client client is configured with secret but SECRET_HASH was not received'],
    ] as const) {
      replies.push(refuse(type, message))
      await expect(signIn(client, WHO)).rejects.toEqual(named('PoolConfigurationError'))
    }
  })
})

describe('A code', () => {
  it(`is sent again, except after confirmation (cognito-local: ${GAPS.resendCode})`, async () => {
    const CodeDeliveryDetails = {
      Destination: 'a***@e***',
      DeliveryMedium: 'EMAIL',
      AttributeName: 'email',
    }
    replies.push({ body: { CodeDeliveryDetails } })
    expect(await account.resendSignUpCode(client, WHO)).toEqual({
      destination: 'a***@e***',
      medium: 'EMAIL',
      attribute_name: 'email',
    })
    replies.push(refuse('InvalidParameterException', 'User is already confirmed.'))
    await expect(account.resendSignUpCode(client, WHO)).rejects.toThrow('User is already confirmed.')
  })
})

describe('A person who has just confirmed a sign-up', () => {
  it('is signed in with the session of the confirmation, without a password', async () => {
    replies.push({ body: { Session: 'after' } }, { body: DONE })
    const input = { username: 'eva@example.com', confirmation_code: '123456' }
    const confirmed = await account.confirmSignUp(client, { session: 'before' }, input)
    expect(confirmed.step).toBe('COMPLETE_AUTO_SIGN_IN')
    expect((await signInWithSession(client, confirmed.progress)).step.step).toBe('DONE')
    expect(calls.at(-1)?.body).toMatchObject({ AuthFlow: 'USER_AUTH', Session: 'after' })
    await expect(signInWithSession(client, {})).rejects.toEqual(named('NotAuthorizedException'))
  })
})

describe('A failure', () => {
  const away: Reply[] = [{ status: 500 }, { status: 503, body: { __type: 'InternalErrorException' } }]

  it('is retried for a sign-in, up to three attempts', async () => {
    for (const reply of [...away, { hangUp: true }]) {
      replies.push(reply, reply, { body: DONE })
      expect((await signIn(client, WHO)).step.step).toBe('DONE')
    }
    calls.length = 0
    replies.push({ status: 500 }, { status: 500 }, { status: 500 }, { body: DONE })
    await expect(signIn(client, WHO)).rejects.toEqual(named('ProviderAwayError'))
    expect(targets()).toEqual(['InitiateAuth', 'InitiateAuth', 'InitiateAuth'])
  })

  it('is not retried for calls whose first attempt can have taken effect', async () => {
    const progress = { username: 'a', session: 's', challenge: 'SOFTWARE_TOKEN_MFA' } as const
    const input = { username: 'a', confirmation_code: '1', new_password: 'b' }
    const once: (() => Promise<unknown>)[] = [
      () => confirmSignIn(client, progress, { challenge_response: '1' }),
      () => account.signUp(client, { ...WHO, user_attributes: {} }),
      () => account.confirmSignUp(client, {}, input),
      () => account.resendSignUpCode(client, WHO),
      () => account.resetPassword(client, WHO),
      () => account.confirmResetPassword(client, input),
    ]
    for (const ask of once)
      for (const reply of [...away, { hangUp: true }]) {
        calls.length = 0
        replies.splice(0, 9, reply, { body: DONE })
        await expect(ask()).rejects.toEqual(named('ProviderAwayError'))
        expect(calls).toHaveLength(1)
      }
  })

  it('by throttling is retried for a password reset too, up to three attempts', async () => {
    const slowDown = refuse('TooManyRequestsException', 'Rate exceeded')
    replies.push(slowDown, slowDown, { body: { CodeDeliveryDetails: {} } })
    await account.resetPassword(client, WHO)
    expect(calls).toHaveLength(3)
    replies.push(slowDown, slowDown, slowDown)
    await expect(account.resetPassword(client, WHO)).rejects.toEqual(named('TooManyRequestsException'))
  })
})
