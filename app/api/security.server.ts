/** How one signs in: the second factor and the password. */
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { isIdentityError } from '#app/auth/identity-port.ts'
import { getOwnAccounts } from '#app/auth/own-accounts.server.ts'
import { getConfig } from '#app/config.server.ts'
import {
  type Asking,
  changePassword,
  chooseFactor,
  confirmApp,
  getAppSetUp,
  getSecurity,
  setUpApp,
} from '#app/domain/account/own-security.server.ts'
import {
  AppCode,
  AppSecret,
  FactorInput,
  NewPasswordInput,
  PasswordInput,
  Security,
} from '#app/domain/account/security.ts'
import { invalid, Refusal } from '#app/domain/errors.ts'
import { answer, body, NOTHING, refusals } from './answers.server.ts'
import { type ApiEnv, createRouter } from './env.server.ts'
import { HOLDS_SECRETS } from './idempotency.server.ts'

const tags = ['Users']

const show = createRoute({
  method: 'get',
  path: '/me/security',
  tags,
  summary: 'One’s second factor, and whether one is needed',
  responses: { 200: answer(Security), ...refusals },
})

const choose = createRoute({
  method: 'put',
  path: '/me/security/second_factor',
  tags,
  summary: 'The second factor to be asked for, or none; needs the password',
  request: body(FactorInput),
  responses: { 200: answer(Security), ...refusals },
})

const begin = createRoute({
  ...HOLDS_SECRETS,
  method: 'post',
  path: '/me/security/app',
  tags,
  summary:
    'The secret for a new authenticator app; needs the password. The one before holds until a code confirms it',
  request: body(PasswordInput),
  responses: { 201: answer(AppSecret), ...refusals },
})

const pending = createRoute({
  method: 'get',
  path: '/me/security/app',
  tags,
  summary: 'The secret that waits for a code, for a quarter of an hour',
  responses: { 200: answer(AppSecret), ...refusals },
})

const confirm = createRoute({
  ...HOLDS_SECRETS,
  method: 'post',
  path: '/me/security/app/confirm',
  tags,
  summary: 'A code of the new app: from now on it is the second factor',
  request: body(AppCode),
  responses: { 200: answer(Security), ...refusals },
})

const password = createRoute({
  method: 'put',
  path: '/me/security/password',
  tags,
  summary: 'A new password; whatever was signed in with the old one is over',
  request: body(NewPasswordInput),
  responses: { 200: answer(NOTHING), ...refusals },
})

export const asking = (c: Context<ApiEnv>): Asking => ({
  accounts: getOwnAccounts(),
  ip: c.env?.ip ?? '',
  isDemo: getConfig().DEMO,
})

/** What the provider refuses is said at the field that it is about. */
export async function atField<Result>(field: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!isIdentityError(error)) throw error
    if (error.name === 'LimitExceededException') throw new Refusal(429, error.message)
    if (error.name === 'InvalidPasswordException') throw invalid({ new_password: error.message.split('. ') })
    throw invalid({ [field]: [error.message] })
  }
}

export const securityApi = createRouter()
  .openapi(show, async (c) => c.json(await getSecurity(c.var.scope, asking(c)), 200))
  .openapi(choose, async (c) =>
    c.json(await atField('password', chooseFactor(c.var.scope, asking(c), c.req.valid('json'))), 200),
  )
  .openapi(begin, async (c) =>
    c.json(await atField('password', setUpApp(c.var.scope, asking(c), c.req.valid('json').password)), 201),
  )
  .openapi(pending, async (c) => c.json(await getAppSetUp(c.var.scope, asking(c)), 200))
  .openapi(confirm, async (c) =>
    c.json(await atField('code', confirmApp(c.var.scope, asking(c), c.req.valid('json').code)), 200),
  )
  .openapi(password, async (c) => {
    await atField('password', changePassword(c.var.scope, asking(c), c.req.valid('json')))
    return c.json({}, 200)
  })
