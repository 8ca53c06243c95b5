/** Steps of people with an account, or with an invitation. */
import type { PoolClient } from 'pg'
import { answerChallenge, answeredBefore } from '#app/identity/answer-challenge.server.ts'
import { type Challenge, readStanding, writeChallenge } from '#app/identity/interactions.server.ts'
import { openInvitation, resendSignInCode, signIn } from '#app/identity/sign-in.server.ts'
import type { InteractionOfRequest } from './interaction.server.ts'

export function signInSteps({ door, require, prove, proceed, requireUser }: InteractionOfRequest) {
  return {
    async signIn(credentials: { username: string; password: string }) {
      const found = await require()
      // Keeps a sign-up in progress: its code can still be entered after a wrong password.
      if (found.challenge?.step !== 'SIGNED_UP') await prove(found, null)
      return proceed(found, await signIn(door, found, credentials))
    },

    async openInvitation({ code }: { code: string }) {
      const found = await require()
      await prove(found, null)
      const { challenge, ...invited } = await openInvitation(door, found, code)
      await prove(found, challenge)
      return invited
    },

    async confirmSignIn(response: {
      challenge_response: string
      user_attributes?: Record<string, string> | undefined
    }) {
      const found = await require()
      const { pool, interaction } = found
      const known = await requireUser(found, ['NEW_PASSWORD', 'SMS_CODE', 'TOTP_CODE', 'TOTP_SETUP', 'DONE'])
      const keep = (on: PoolClient, proved: Challenge) => writeChallenge(on, pool.id, interaction.uid, proved)
      try {
        return await proceed(found, await answerChallenge(door, found, known, response, keep))
      } catch (refusal) {
        const { challenge } = await readStanding(door.database, pool.id, interaction.uid)
        const before = await answeredBefore(door, found, known, response, challenge)
        if (!before) throw refusal
        return proceed(found, before)
      }
    },

    async resendSignInCode() {
      const found = await require()
      const { user } = await requireUser(found, ['SMS_CODE'])
      await door.attempts.countSend(found.ip)
      return resendSignInCode(door, found, user)
    },
  }
}
