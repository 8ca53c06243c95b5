/** Locks that serialize a person's writes and their erasure: nothing of theirs is written after it. */
import { notFound } from '../errors.ts'
import { takeTurns, takeTurnsBeside } from '../scope/advisory-lock.server.ts'
import { atHome, type Scope, tenantWide } from '../scope/scope.server.ts'

const erasureOf = (id: number) => `erasure of ${id}`

/** Called in the person's tenant: waits for their current writes, and blocks new ones until the transaction ends. */
export const waitForWrites = (scope: Scope, id: number) => takeTurns(scope, erasureOf(id))

/** Read in the person's turn: nobody erases them before the transaction ends. */
async function readBeside(scope: Scope, id: number) {
  await takeTurnsBeside(scope, erasureOf(id))
  return scope.db
    .selectFrom('users')
    .select(['erased_on', 'activation_status'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** False if the actor, or their API key, has been locked out since the request began: nothing may be written in their name. */
export async function mayStillWrite(scope: Scope): Promise<boolean> {
  const { user_id, api_key } = scope.actor
  if (user_id === null) return true
  return atHome(scope, async (home) => {
    const person = await readBeside(home, user_id)
    const isLetIn = person?.erased_on === null && person.activation_status !== 'disabled'
    return isLetIn && (!api_key || (await isInUse(home, api_key.id)))
  })
}

/**
 * Before words to or about somebody in the scope's tenant are written. Called before their rows are locked, as an erasure
 * locks them in its turn.
 */
export const requireNotErased = (scope: Scope, id: number): Promise<void> =>
  tenantWide(scope, async (whole) => {
    const person = await readBeside(whole, id)
    if (person?.erased_on !== null) throw notFound()
  })

/** A scope for work on behalf of somebody who may be erased meanwhile: then it continues without their address. */
export async function inTheirName(scope: Scope): Promise<Scope> {
  const { user_id } = scope.actor
  if (user_id === null) return scope
  const person = await atHome(scope, (home) => readBeside(home, user_id))
  return person?.erased_on ? { ...scope, actor: { ...scope.actor, email: null } } : scope
}

/** Tenant-wide, as a key of the whole company is not visible inside a sub-tenant. */
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
