/** Steps with a code to a contact: for a forgotten password, or to verify an address. */
import { asWords, textOf } from '#app/identity/attributes.ts'
import {
  type Challenge,
  forgetUnlessReset,
  readStanding,
  writeChallenge,
} from '#app/identity/interactions.server.ts'
import {
  type Contact,
  confirmContact,
  confirmResetPassword,
  resetPassword,
  sendContactCode,
} from '#app/identity/recovery.server.ts'
import type { InteractionOfRequest } from './interaction.server.ts'

/** The account is named in the attributes, because everything stored under `sub` is deleted when the password changes. */
const hasReset = (sub: string): Challenge => ({ step: 'RESET', sub: null, amr: [], attributes: { sub } })

type Username = { username: string }

export function contactSteps({ door, require, requireUser }: InteractionOfRequest) {
  return {
    async resetPassword(asked: Username & { is_resend: boolean }) {
      return resetPassword(door, await require(), asked)
    },

    async confirmResetPassword(reset: Username & { confirmation_code: string; new_password: string }) {
      const found = await require()
      const { pool, interaction } = found
      await forgetUnlessReset(door.database, pool.id, interaction.uid)
      await confirmResetPassword(door, found, reset, {
        keep: (connection, sub) => writeChallenge(connection, pool.id, interaction.uid, hasReset(sub)),
        async sub() {
          const { challenge } = await readStanding(door.database, pool.id, interaction.uid)
          return challenge?.step === 'RESET' ? textOf(challenge.attributes ?? {}, 'sub') : null
        },
      })
    },

    async fetchUserAttributes() {
      const { user } = await requireUser(await require(), ['DONE'])
      return asWords({ sub: user.sub, ...user.attributes })
    },

    async sendUserAttributeVerificationCode(asked: { key: Contact; is_resend: boolean }) {
      const found = await require()
      const { user } = await requireUser(found, ['DONE'])
      await door.attempts.countSend(found.ip)
      return sendContactCode(door, found, user, asked)
    },

    async confirmUserAttribute(said: { key: Contact; confirmation_code: string }) {
      const found = await require()
      const { user } = await requireUser(found, ['DONE'])
      await confirmContact(door, found, user, said)
    },
  }
}
