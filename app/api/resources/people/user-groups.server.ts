import * as calls from '#app/api/contract/people/user-groups.ts'
import { serve } from '#app/api/serve.server.ts'
import { changeGroupPeople } from '#app/domain/users/groups/group-people.server.ts'
import {
  createUserGroup,
  deleteUserGroup,
  listUserGroups,
  updateUserGroup,
} from '#app/domain/users/groups/user-groups.server.ts'

export const userGroups = serve(calls, {
  listUserGroups: async ({ scope }) => ({ data: await listUserGroups(scope) }),
  createUserGroup: ({ scope, body }) => createUserGroup(scope, body),
  getUserGroup: async ({ found }) => found,
  updateUserGroup: ({ scope, ids, body }) => updateUserGroup(scope, ids.id, body),
  changeGroupPeople: ({ scope, ids, body }) => changeGroupPeople(scope, ids.id, body),
  deleteUserGroup: async ({ scope, ids, query }) => {
    await deleteUserGroup(scope, ids.id, query)
    return {}
  },
})
