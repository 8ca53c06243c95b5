/** What a person writes and what erases them wait for each other: nothing of theirs is written once they are erased. */
import { takeTurns, takeTurnsBeside } from '../scope/advisory-lock.server.ts'
import { atHome, type Scope } from '../scope/scope.server.ts'

const erasureOf = (id: number) => `erasure of ${id}`

/** From the tenant of the person: for all that they are writing, until the transaction ends. */
export const waitForWrites = (scope: Scope, id: number) => takeTurns(scope, erasureOf(id))

/** False: who acts was erased, and nothing may be written in their name. */
export async function mayStillWrite(scope: Scope): Promise<boolean> {
  const { user_id } = scope.actor
  if (user_id === null) return true
  return atHome(scope, async (home) => {
    await takeTurnsBeside(home, erasureOf(user_id))
    const person = await home.db
      .selectFrom('users')
      .select('erased_on')
      .where('id', '=', user_id)
      .executeTakeFirst()
    return !person?.erased_on
  })
}
