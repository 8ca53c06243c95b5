/** The people of a tenant, the caller's own account, and signing in. */

import { z } from 'zod'
import { callsAbout, fileOf } from '#app/api/contract/call.ts'
import { whenFiltered } from '#app/api/contract/dear.ts'
import { EXPORTS, INVITATIONS, POOL, SENDING } from '#app/api/contract/limits.ts'
import { ABOUT_ONESELF, NOTHING, oneId } from '#app/api/contract/parts.ts'
import { ProfileInput } from '#app/domain/account/profile.ts'
import { NumberList, pageQuery } from '#app/domain/page.ts'
import { ACTIVATION_STATUSES, CurrentUser } from '#app/domain/users/current-user.ts'
import { PoolConfiguration, PoolQuery } from '#app/domain/users/pool.ts'
import {
  ActivationInput,
  USER_ORDERS,
  USER_ROLES,
  User,
  WelcomeAnswer,
  WelcomeInput,
} from '#app/domain/users/user.ts'
import { UserChange, UserInput } from '#app/domain/users/user-input.ts'
import { FilterValues, ofEachFilter, SubTenantIds, UserPage } from '#app/domain/users/user-search.ts'

const { get, post, put, patch, remove } = callsAbout('Users')

/** A query parameter that may be repeated, as an array. */
const several = (given: unknown) => (given === undefined ? [] : [given].flat())

const oneOrSeveral = <const Value extends string>(values: readonly Value[]) =>
  z
    .preprocess(several, z.array(z.enum(values)).max(10))
    .meta({ type: 'array', items: { type: 'string', enum: [...values] } })

const UsersQuery = pageQuery(USER_ORDERS).extend({
  role: oneOrSeveral(USER_ROLES),
  /** Erased people have none. */
  activation_status: oneOrSeveral(ACTIVATION_STATUSES),
  /** With a role in one of them; with `role` as well, that role. */
  sub_tenant_id: z
    .preprocess(several, SubTenantIds)
    .meta({ type: 'array', items: { type: 'string', format: 'uuid' } }),
  user_ids: NumberList.optional(),
  group_id: z.coerce.number().int().positive().optional(),
  ...ofEachFilter(() =>
    z.preprocess(several, FilterValues).meta({ type: 'array', items: { type: 'string' } }),
  ),
})

export const findPool = get('/users/pool', {
  does: 'How a person with this e-mail address signs in',
  may: 'anyone',
  query: PoolQuery,
  answers: PoolConfiguration,
  perAddress: POOL,
})

export const askForPool = post('/users/pool', {
  does: 'The same, with the address kept out of logs',
  may: 'anyone',
  body: PoolQuery,
  answers: PoolConfiguration,
  perAddress: POOL,
  audited: false,
})

export const getCurrentUser = get('/users/me', {
  does: 'The person who is signed in',
  may: 'signed in',
  answers: CurrentUser,
  early: ABOUT_ONESELF,
})

export const updateProfile = put('/users/me', {
  does: 'Change the caller’s profile, or accept the terms; fields left out stay unchanged. Removing the number needs the password',
  may: 'signed in',
  body: ProfileInput,
  answers: CurrentUser,
  early: ABOUT_ONESELF,
  audited: true,
})

export const listUsers = get('/users', {
  does: 'A page of the people of the current tenant',
  may: 'view users',
  query: UsersQuery,
  answers: UserPage,
  dear: whenFiltered,
})

export const createUser = post('/users', {
  does: 'Add a person, and invite them',
  may: 'create users',
  body: UserInput,
  answers: User,
  status: 201,
  repeats: 'once',
  audited: true,
})

export const exportUsers = get('/users/export', {
  does: 'The people of the list as a CSV file',
  may: 'edit users',
  query: UsersQuery.omit({ page: true, per_page: true }),
  answers: fileOf('text/csv', 'CSV'),
  perPerson: EXPORTS,
  dear: true,
  replica: 'caught up',
})

export const getUser = get('/users/{id}', {
  does: 'One person',
  may: 'view user',
  ids: oneId,
  answers: User,
})

export const updateUser = put('/users/{id}', {
  does: 'Change a person; what is left out stays',
  may: 'edit user',
  ids: oneId,
  body: UserChange,
  answers: User,
  audited: true,
})

export const deleteUser = remove('/users/{id}', {
  does: 'Delete a person who takes part in nothing',
  may: 'manage user',
  ids: oneId,
  answers: NOTHING,
  audited: true,
})

export const removeRoles = remove('/users/{id}/roles', {
  does: 'Remove somebody from the current sub-tenant who also works elsewhere: the roles and groups they have in it',
  may: 'manage user',
  ids: oneId,
  answers: NOTHING,
  audited: true,
})

export const setActivation = patch('/users/{id}/activation', {
  does: 'Deactivate or activate an account; a deactivated person is logged out',
  may: 'manage user',
  ids: oneId,
  body: ActivationInput,
  answers: User,
  audited: true,
})

export const takeSecondFactor = remove('/users/{id}/second_factor', {
  does: 'Remove a second factor, for a lost phone; the person is logged out everywhere, and told',
  may: 'manage user',
  keys: false,
  ids: oneId,
  answers: NOTHING,
  status: 202,
  audited: true,
})

export const resetPassword = post('/users/{id}/password_reset', {
  does: 'Require a new password at the next sign-in; the person is logged out everywhere, and told',
  may: 'manage user',
  keys: false,
  ids: oneId,
  answers: NOTHING,
  status: 202,
  audited: true,
})

export const inviteUser = post('/auth/resend-welcome-email/{id}', {
  does: 'Invite a person again',
  may: 'create users',
  ids: oneId,
  answers: WelcomeAnswer.shape.data.element,
  perPerson: INVITATIONS,
  perAddress: SENDING,
  audited: true,
})

export const inviteUsers = post('/auth/resend-welcome-email', {
  does: 'Invite people again; the result for each',
  may: 'create users',
  body: WelcomeInput,
  answers: WelcomeAnswer,
  perPerson: INVITATIONS,
  perAddress: SENDING,
  audited: true,
})
