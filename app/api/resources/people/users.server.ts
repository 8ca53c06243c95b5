import { asking, atField } from '#app/api/asking.server.ts'
import * as calls from '#app/api/contract/people/users.ts'
import { type Caller, serve } from '#app/api/serve.server.ts'
import { shouldEnterSubTenant } from '#app/auth/actor.server.ts'
import { requirePasswordReset, takeSecondFactor } from '#app/domain/account/others-security.server.ts'
import { updateProfile } from '#app/domain/account/profile.server.ts'
import { deleteUser, setActivation } from '#app/domain/users/activation.server.ts'
import { createUser, removeRoles, updateUser } from '#app/domain/users/changing.server.ts'
import { getCurrentUser } from '#app/domain/users/current-user.server.ts'
import { exportUsers } from '#app/domain/users/export.server.ts'
import { resendWelcome, resendWelcomes } from '#app/domain/users/invitations/welcome.server.ts'
import { findPool } from '#app/domain/users/pools.server.ts'
import { listUsersWithFacets } from '#app/domain/users/users.server.ts'

const mustChoose = ({ principal, actor }: Caller) => shouldEnterSubTenant(principal, actor.sub_tenant_id)

export const users = serve(calls, {
  findPool: ({ query, database }) => findPool(database, query.email),
  askForPool: ({ body, database }) => findPool(database, body.email),
  getCurrentUser: ({ scope, caller }) => getCurrentUser(scope, mustChoose(caller), caller.isFramed),
  updateProfile: async ({ scope, body, caller }) => {
    return atField('password', updateProfile(scope, asking(caller), body, mustChoose(caller)))
  },
  listUsers: ({ scope, query }) => listUsersWithFacets(scope, query),
  createUser: ({ scope, body }) => createUser(scope, body),
  exportUsers: async ({ scope, query }) =>
    new Response(await exportUsers(scope, query), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="users.csv"',
      },
    }),
  getUser: async ({ found }) => found,
  updateUser: ({ scope, ids, body }) => updateUser(scope, ids.id, body),
  deleteUser: async ({ scope, ids }) => {
    await deleteUser(scope, ids.id)
    return {}
  },
  removeRoles: async ({ scope, ids }) => {
    await removeRoles(scope, ids.id)
    return {}
  },
  setActivation: async ({ scope, ids, body }) => {
    return setActivation(scope, ids.id, body.activation_status)
  },
  takeSecondFactor: async ({ scope, ids, caller }) => {
    await takeSecondFactor(scope, asking(caller).accounts, ids.id)
    return {}
  },
  resetPassword: async ({ scope, ids }) => {
    await requirePasswordReset(scope, ids.id)
    return {}
  },
  inviteUser: ({ scope, ids }) => resendWelcome(scope, ids.id),
  inviteUsers: ({ scope, body }) => resendWelcomes(scope, body.user_ids),
})
