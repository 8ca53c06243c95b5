import type { IdentityPort } from '../identity-port.ts'
import { keepProgress, type OnScreens, type UnderWay } from './attempts.server.ts'
import type { Reached } from './challenge.server.ts'
import { CognitoRefusal } from './errors.ts'
import { confirmSignIn, signIn, signInWithSession } from './sign-in.server.ts'

type Step = 'signIn' | 'openInvitation' | 'confirmSignIn' | 'resendSignInCode' | 'autoSignIn'

export function signInSteps({ database, require }: UnderWay): Pick<IdentityPort, Step> {
  async function reached(found: OnScreens, { step, progress }: Reached) {
    await keepProgress(database, found, progress)
    return step
  }

  return {
    async signIn(input) {
      const found = await require()
      return reached(found, await signIn(found.client, input))
    },
    /** A user pool invites its people by its own mails. */
    async openInvitation() {
      throw new CognitoRefusal('NotAuthorizedException', 'Sign in with the password from your invitation.')
    },
    async confirmSignIn(input) {
      const found = await require()
      return reached(found, await confirmSignIn(found.client, found.progress, input))
    },
    async resendSignInCode() {
      throw new CognitoRefusal('UnsupportedUserStateException', 'Please sign in again for another code.')
    },
    async autoSignIn() {
      const found = await require()
      return reached(found, await signInWithSession(found.client, found.progress))
    },
  }
}
