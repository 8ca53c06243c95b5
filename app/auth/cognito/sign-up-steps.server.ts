import { setTimeout as sleep } from 'node:timers/promises'
import type { IdentityPort } from '../identity-port.ts'
import * as account from './account.server.ts'
import { keepProgress, type UnderWay } from './attempts.server.ts'
import { CognitoRefusal } from './errors.ts'

const MOMENT_MS = 300

type Step = 'signUp' | 'confirmSignUp' | 'resendSignUpCode'

export function signUpSteps({ database, require }: UnderWay): Pick<IdentityPort, Step> {
  /** Accepts a name that this browser has just taken: of a form sent twice, the other request may have done so. */
  async function sentTwice(error: unknown, username: string) {
    if (!(error instanceof CognitoRefusal) || error.name !== 'UsernameExistsException') throw error
    await sleep(MOMENT_MS)
    const { progress } = await require()
    if (!progress.signed_up || progress.username !== username) throw error
    return { step: { step: 'CONFIRM_SIGN_UP', delivery: progress.signed_up } as const, progress }
  }

  return {
    async signUp(input) {
      const found = await require()
      // Cognito's screens ask for the address as the user name; a pool may also require it as an attribute.
      const user_attributes = { ...input.user_attributes, email: input.username }
      const { step, progress } = await account
        .signUp(found.client, { ...input, user_attributes })
        .catch((error) => sentTwice(error, input.username))
      await keepProgress(database, found, progress)
      return step
    },
    async confirmSignUp(input) {
      const found = await require()
      const { step, progress } = await account.confirmSignUp(found.client, found.progress, input)
      await keepProgress(database, found, progress)
      return { step }
    },
    resendSignUpCode: async (input) => account.resendSignUpCode((await require()).client, input),
  }
}
