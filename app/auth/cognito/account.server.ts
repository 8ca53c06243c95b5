/** Account calls to a user pool's API: sign-up, recovery, verified contacts, tokens. */
import {
  type AttributeType,
  type CodeDeliveryDetailsType,
  ConfirmForgotPasswordCommand,
  ConfirmSignUpCommand,
  ForgotPasswordCommand,
  GetUserAttributeVerificationCodeCommand,
  GetUserCommand,
  InitiateAuthCommand,
  ResendConfirmationCodeCommand,
  RevokeTokenCommand,
  SignUpCommand,
  VerifyUserAttributeCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import type { FetchedAttributes, SignUpStep, UserAttributes } from '#app/domain/authenticator/events.ts'
import type { CodeDelivery, Contact } from '#app/domain/authenticator/state.ts'
import { tokensOf } from './challenge.server.ts'
import type { CognitoClient } from './client.server.ts'
import { expired } from './errors.ts'
import { type CognitoTokens, type Progress, userIdIn } from './progress.ts'

type Username = { username: string }
type WithCode = Username & { confirmation_code: string }

const named = (client: CognitoClient, username: string) => {
  const { SECRET_HASH } = client.secretHash(username)
  return {
    ClientId: client.client_id,
    Username: username,
    ...(SECRET_HASH === undefined ? {} : { SecretHash: SECRET_HASH }),
  }
}

const listed = (attributes: UserAttributes): AttributeType[] =>
  Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([Name, Value]) => ({ Name, Value }))

export async function signUp(
  client: CognitoClient,
  input: Username & { password: string; user_attributes: UserAttributes },
): Promise<{ step: SignUpStep; progress: Progress }> {
  const { username, password, user_attributes } = input
  const command = new SignUpCommand({
    ...named(client, username),
    Password: password,
    UserAttributes: listed(user_attributes),
  })
  const answer = await client.call((sdk, options) => sdk.send(command, options), 'once')
  const progress: Progress = { username, session: answer.Session }
  if (answer.UserConfirmed)
    return {
      step: { step: answer.Session ? 'COMPLETE_AUTO_SIGN_IN' : 'DONE' },
      progress: { ...progress, challenge: 'SIGNED_UP' },
    }
  const delivery = deliveryOf(answer.CodeDeliveryDetails)
  return { step: { step: 'CONFIRM_SIGN_UP', delivery }, progress: { ...progress, signed_up: delivery } }
}

export async function confirmSignUp(
  client: CognitoClient,
  { session }: Progress,
  { username, confirmation_code }: WithCode,
): Promise<{ step: 'DONE' | 'COMPLETE_AUTO_SIGN_IN'; progress: Progress }> {
  const command = new ConfirmSignUpCommand({
    ...named(client, username),
    ConfirmationCode: confirmation_code,
    ...(session ? { Session: session } : {}),
  })
  const answer = await client.call((sdk, options) => sdk.send(command, options), 'once')
  if (!answer.Session) return { step: 'DONE', progress: { username } }
  return {
    step: 'COMPLETE_AUTO_SIGN_IN',
    progress: { username, session: answer.Session, challenge: 'SIGNED_UP' },
  }
}

export async function resendSignUpCode(client: CognitoClient, { username }: Username): Promise<CodeDelivery> {
  const command = new ResendConfirmationCodeCommand(named(client, username))
  const answer = await client.call((sdk, options) => sdk.send(command, options), 'once')
  return deliveryOf(answer.CodeDeliveryDetails)
}

export async function resetPassword(client: CognitoClient, { username }: Username): Promise<CodeDelivery> {
  const command = new ForgotPasswordCommand(named(client, username))
  const answer = await client.call((sdk, options) => sdk.send(command, options), 'once')
  return deliveryOf(answer.CodeDeliveryDetails)
}

export async function confirmResetPassword(
  client: CognitoClient,
  { username, confirmation_code, new_password }: WithCode & { new_password: string },
): Promise<void> {
  const command = new ConfirmForgotPasswordCommand({
    ...named(client, username),
    ConfirmationCode: confirmation_code,
    Password: new_password,
  })
  await client.call((sdk, options) => sdk.send(command, options), 'once')
}

const accessOf = ({ tokens }: Progress): string => {
  if (!tokens) throw expired()
  return tokens.access_token
}

export async function fetchUserAttributes(
  client: CognitoClient,
  progress: Progress,
): Promise<FetchedAttributes> {
  const command = new GetUserCommand({ AccessToken: accessOf(progress) })
  const { UserAttributes = [] } = await client.call(
    (sdk, options) => sdk.send(command, options),
    'repeatable',
  )
  return Object.fromEntries(UserAttributes.map(({ Name, Value }) => [Name, Value]))
}

export async function sendVerificationCode(
  client: CognitoClient,
  progress: Progress,
  key: Contact,
): Promise<CodeDelivery> {
  const command = new GetUserAttributeVerificationCodeCommand({
    AccessToken: accessOf(progress),
    AttributeName: key,
  })
  const answer = await client.call((sdk, options) => sdk.send(command, options), 'once')
  return deliveryOf(answer.CodeDeliveryDetails)
}

export async function confirmAttribute(
  client: CognitoClient,
  progress: Progress,
  { key, confirmation_code }: { key: Contact; confirmation_code: string },
): Promise<void> {
  const command = new VerifyUserAttributeCommand({
    AccessToken: accessOf(progress),
    AttributeName: key,
    Code: confirmation_code,
  })
  await client.call((sdk, options) => sdk.send(command, options), 'once')
}

/** `user_id` is the token's own name for the person; the pool may leave the refresh token unchanged. */
export async function refresh(
  client: CognitoClient,
  { refresh_token, user_id }: { refresh_token: string; user_id: string },
): Promise<CognitoTokens> {
  const command = new InitiateAuthCommand({
    AuthFlow: 'REFRESH_TOKEN_AUTH',
    ClientId: client.client_id,
    AuthParameters: { REFRESH_TOKEN: refresh_token, ...client.secretHash(user_id) },
  })
  const { AuthenticationResult } = await client.call(
    (sdk, options) => sdk.send(command, options),
    'repeatable',
  )
  if (!AuthenticationResult) throw expired()
  const tokens = tokensOf(AuthenticationResult)
  return { ...tokens, refresh_token: tokens.refresh_token ?? refresh_token }
}

/** The ID token of before still calls a contact unverified that has just been verified. */
export async function renewed(
  client: CognitoClient,
  { tokens }: Progress,
): Promise<CognitoTokens | undefined> {
  if (!tokens?.refresh_token) return tokens
  const { refresh_token, id_token } = tokens
  return refresh(client, { refresh_token, user_id: userIdIn(id_token) }).catch(() => tokens)
}

export async function signOut(client: CognitoClient, refresh_token: string): Promise<void> {
  const { client_id, client_secret } = client
  const command = new RevokeTokenCommand({
    ClientId: client_id,
    Token: refresh_token,
    ...(client_secret === null ? {} : { ClientSecret: client_secret }),
  })
  await client.call((sdk, options) => sdk.send(command, options), 'repeatable')
}

function deliveryOf(details: CodeDeliveryDetailsType | undefined): CodeDelivery {
  const medium = details?.DeliveryMedium
  return {
    destination: details?.Destination ?? null,
    medium: medium === 'SMS' || medium === 'EMAIL' ? medium : null,
    attribute_name: details?.AttributeName ?? null,
  }
}
