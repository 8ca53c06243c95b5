/** How a sign-in ends: cancelled or completed. */
import { sessionExpired } from '#app/identity/errors.ts'
import { type Challenge, writeProgress } from '#app/identity/interactions.server.ts'
import { requireAdmitted } from '#app/identity/sign-up.server.ts'
import type { User } from '#app/identity/users.server.ts'
import type { Found, InteractionOfRequest } from './interaction.server.ts'

export function endSteps({ door, require, prove, requireUser }: InteractionOfRequest) {
  return {
    async cancel() {
      const found = await require()
      await prove(found, null)
      await writeProgress(door.database, found.pool.id, found.interaction.uid, null)
    },

    async complete() {
      const found = await require()
      const { user, challenge } = await requireUser(found, ['DONE'])
      if (!user.enabled || user.status !== 'CONFIRMED') throw sessionExpired()
      await requireAdmitted(door, user)
      return finish(found, user, challenge)
    },
  }
}

/** Ends another person's session in this browser; otherwise oidc-provider would ask to log out first. */
async function finish({ provider, interaction }: Found, user: User, { amr }: Challenge) {
  const before = interaction.session
  if (before?.uid && before.accountId !== user.sub) {
    const session = await provider.Session.findByUid(before.uid)
    await session?.destroy()
    delete interaction.session
  }
  interaction.result = { login: { accountId: user.sub, amr, remember: false } }
  await interaction.persist()

  const { pathname, search } = new URL(interaction.returnTo)
  return { redirect_to: pathname + search }
}
