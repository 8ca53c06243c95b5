/** A simulated action while the clock moves. */
import type { Actor } from '../access/actor.ts'
import type { Scope } from '../scope/scope.server.ts'

/** Run in a scope of its own, so that one refused does not block the others. */
export type Deed = (scope: Scope) => Promise<unknown>

export const asPerson = (actor: Actor, { user_id, email }: { user_id: number; email: string }): Actor => ({
  ...actor,
  ...{ user_id, email, roles: ['user'], general_roles: [], is_super_admin: false },
})
