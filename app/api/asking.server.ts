/**
 * What the calls about one's own sign-in need besides the scope, and how refusals of the identity provider become
 * field errors.
 */
import { isIdentityError } from '#app/auth/identity-port.ts'
import { getOwnAccounts } from '#app/auth/own-accounts.server.ts'
import { getConfig } from '#app/config.server.ts'
import type { Asking } from '#app/domain/account/own-security.server.ts'
import { invalid, Refusal } from '#app/domain/errors.ts'
import type { Caller } from './serve.server.ts'

export const asking = ({ ip = '' }: Caller): Asking => ({
  accounts: getOwnAccounts(),
  ip,
  isDemo: getConfig().DEMO,
})

/** Turns a refusal of the identity provider into an error at the field it is about. */
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
