/** When a person who comes to a provider has to sign in. */
import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import type { House } from '#app/identity/door.ts'
import type { EmbeddedPool } from '#app/identity/pools.ts'
import { toUsername } from '#app/identity/users.server.ts'

type Setting = { pool: EmbeddedPool; requiresMfa: House['requiresMfa'] }

/** No consent. A new sign-in is required if /login was given another address than the session's, or its account is gone. */
export function createPolicy({ pool, requiresMfa }: Setting) {
  const { base, Check } = interactionPolicy
  const policy = base()
  policy.remove('consent')
  policy.get('login')?.checks.add(
    new Check('login_hint', 'another person is signing in', (ctx: KoaContextWithOIDC) => {
      const { account, params, result, session } = ctx.oidc
      if (result?.login) return Check.NO_NEED_TO_PROMPT
      if (!account) return session?.accountId ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
      const hint = params?.login_hint
      if (typeof hint !== 'string') return Check.NO_NEED_TO_PROMPT
      return account.username === toUsername(hint) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
    }),
  )
  policy.get('login')?.checks.add(
    new Check('second_factor', 'a second factor is due', async ({ oidc }: KoaContextWithOIDC) => {
      const { account, result, session } = oidc
      if (!account || result?.login || session?.amr?.includes('mfa')) return Check.NO_NEED_TO_PROMPT
      const isDue = await requiresMfa({ pool: pool.id, sub: account.accountId })
      return isDue ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
    }),
  )
  return policy
}
