/** Groups of people, which are chosen together when they are added to a journey. */
import { callsAbout } from '#app/api/contract/call.ts'
import { NOTHING, oneId } from '#app/api/contract/parts.ts'
import { SeenQuery } from '#app/domain/optimistic-lock.ts'
import {
  GroupPeopleChange,
  GroupPeopleChanged,
  UserGroup,
  UserGroupChange,
  UserGroupInput,
  UserGroups,
} from '#app/domain/users/groups/user-group.ts'

const { get, post, put, patch, remove } = callsAbout('Groups')

export const listUserGroups = get('/user_groups', {
  does: 'The groups of the company, or of the sub-tenant, by name',
  may: 'view journeys',
  answers: UserGroups,
})

export const createUserGroup = post('/user_groups', {
  does: 'A new group, with nobody in it',
  may: 'edit users',
  body: UserGroupInput,
  answers: UserGroup,
  described: 'Created',
  status: 201,
  repeats: 'once',
  audited: true,
})

export const getUserGroup = get('/user_groups/{id}', {
  does: 'One group; `GET /users` with its `group_id` lists who is in it',
  may: 'view user group',
  ids: oneId,
  answers: UserGroup,
})

export const updateUserGroup = put('/user_groups/{id}', {
  does: 'Rename a group',
  may: 'edit user group',
  ids: oneId,
  body: UserGroupChange,
  answers: UserGroup,
  audited: true,
})

export const changeGroupPeople = patch('/user_groups/{id}/users', {
  does: 'Add people to a group, by number or by e-mail, and remove people from it; no journey changes',
  may: 'edit user group',
  ids: oneId,
  body: GroupPeopleChange,
  answers: GroupPeopleChanged,
  audited: true,
})

export const deleteUserGroup = remove('/user_groups/{id}', {
  does: 'Delete a group; its people stay, and stay in their journeys',
  may: 'edit user group',
  ids: oneId,
  query: SeenQuery,
  answers: NOTHING,
  audited: true,
})
