/** The state of a sign-in: which screen it is on, and what that screen shows. */
import type { Doorkeeper } from '#app/identity/door.ts'
import { writeProgress } from '#app/identity/interactions.server.ts'
import type { Screens } from '#app/identity/pools.ts'
import { hasFactor } from '#app/identity/sign-in.server.ts'
import { findBySub } from '#app/identity/users.server.ts'
import type { Found, Interaction, InteractionOfRequest } from './interaction.server.ts'

export function situation({ door, find, require }: InteractionOfRequest) {
  return {
    async current() {
      const found = await find()
      if (!found) return null
      const { pool, rules, interaction, progress } = found
      return {
        pool_id: pool.id,
        saved: progress,
        username: hintOf(interaction),
        entrance: entranceOf(interaction, rules.screens),
        screens: rules.screens,
        is_ours: true,
        company: await door.house.companyOf({ pool: pool.id, email: hintOf(interaction) }),
        password_policy: rules.password_policy,
        totp: await totpOf(door, found),
      }
    },

    async save(state: object) {
      const { pool, interaction } = await require()
      await writeProgress(door.database, pool.id, interaction.uid, state)
    },
  }
}

function hintOf({ params }: Interaction): string {
  return typeof params.login_hint === 'string' ? params.login_hint : ''
}

/** A screen requested at `/login` comes first, else the pool's initial one. */
function entranceOf(
  { params }: Interaction,
  { initial_screen, sign_up }: Screens,
): Screens['initial_screen'] {
  const asked = params.screen_hint
  if (asked === 'forgotPassword' || asked === 'signIn') return asked
  if (asked === 'signUp' || initial_screen === 'signUp') return sign_up ? 'signUp' : 'signIn'
  return initial_screen
}

async function totpOf(door: Doorkeeper, { pool, rules, challenge }: Found) {
  if (challenge?.step !== 'TOTP_SETUP' || challenge.sub === null) return null
  const user = await findBySub(door.database, pool.id, challenge.sub)
  return user && !hasFactor(user) ? door.totp.setUp(user, rules.name) : null
}
