/** Steps of people who create an account. */
import { sessionExpired } from '#app/identity/errors.ts'
import { autoSignIn, confirmSignUp, sendSignUpCode, signUp } from '#app/identity/sign-up.server.ts'
import { toUsername } from '#app/identity/users.server.ts'
import type { InteractionOfRequest } from './interaction.server.ts'

type Username = { username: string }

export function signUpSteps({ door, require, prove, proceed, requireUser }: InteractionOfRequest) {
  return {
    async signUp(wish: Username & { password: string; user_attributes: Record<string, string> }) {
      const found = await require()
      const { next, challenge } = await signUp(door, found, wish)
      await prove(found, challenge)
      return next
    },

    async confirmSignUp({ username, confirmation_code }: Username & { confirmation_code: string }) {
      const found = await require()
      const { challenge } = found
      // The form was sent twice, and the other request has confirmed it.
      if (challenge?.step === 'CONFIRMED') return { step: 'COMPLETE_AUTO_SIGN_IN' as const }
      if (challenge?.step !== 'SIGNED_UP') throw sessionExpired()
      const code = { username, code: confirmation_code }
      await prove(found, await confirmSignUp(door, found, challenge, code))
      return { step: 'COMPLETE_AUTO_SIGN_IN' as const }
    },

    async resendSignUpCode({ username, is_resend }: Username & { is_resend: boolean }) {
      const found = await require()
      const { challenge } = found
      if (challenge?.step !== 'SIGNED_UP') throw sessionExpired()
      await door.attempts.countSend(found.ip)
      return sendSignUpCode(door, found, toUsername(username), { challenge, is_resend })
    },

    async autoSignIn() {
      const found = await require()
      const { user } = await requireUser(found, ['CONFIRMED'])
      return proceed(found, await autoSignIn(door, found, user))
    },
  }
}
