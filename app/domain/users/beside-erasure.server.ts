/** What a person writes and what erases them wait for each other: nothing of theirs is written once they are erased. */
import { takeTurns, takeTurnsBeside } from '../scope/advisory-lock.server.ts'
import { atHome, type Scope, tenantWide } from '../scope/scope.server.ts'

const erasureOf = (id: number) => `erasure of ${id}`

/** From the tenant of the person: for all that they are writing, until the transaction ends. */
export const waitForWrites = (scope: Scope, id: number) => takeTurns(scope, erasureOf(id))

/** False: who acts, or the key that they act by, is out since they were let in, and nothing may be written in their name. */
export async function mayStillWrite(scope: Scope): Promise<boolean> {
  const { user_id, api_key } = scope.actor
  if (user_id === null) return true
  return atHome(scope, async (home) => {
    await takeTurnsBeside(home, erasureOf(user_id))
    const person = await home.db
      .selectFrom('users')
      .select('id')
      .where('id', '=', user_id)
      .where('erased_on', 'is', null)
      .where('activation_status', '<>', 'disabled')
      .executeTakeFirst()
    return person !== undefined && (!api_key || (await isInUse(home, api_key.id)))
  })
}

/** What goes on in somebody's name while they may be erased: then it goes on without their address. */
export async function inTheirName(scope: Scope): Promise<Scope> {
  const { user_id } = scope.actor
  if (user_id === null) return scope
  const erased = await atHome(scope, async (home) => {
    await takeTurnsBeside(home, erasureOf(user_id))
    return home.db
      .selectFrom('users')
      .select('id')
      .where('id', '=', user_id)
      .where('erased_on', 'is not', null)
      .executeTakeFirst()
  })
  return erased ? { ...scope, actor: { ...scope.actor, email: null } } : scope
}

/** A key of the whole company is not seen from inside a sub-tenant. */
const isInUse = (scope: Scope, keyId: number): Promise<boolean> =>
  tenantWide(scope, async ({ db }) => {
    const key = await db
      .selectFrom('api_keys')
      .select('id')
      .where('id', '=', keyId)
      .where('revoked_on', 'is', null)
      .executeTakeFirst()
    return key !== undefined
  })
