/** What may be done to a person, and why not: calls refuse with these reasons, screens show only what is allowed. */

import type { Actor } from '../access/actor.ts'
import { may, mayEditUser } from '../access/permissions.ts'
import { ERASED_PERSON } from '../erased-person.ts'
import { conflict, forbidden, Refusal } from '../errors.ts'
import type { UserRight } from './user.ts'

export type Subject = {
  id: number
  is_super_admin: boolean
  activation_status: string
  erased_on: Date | null
  works_elsewhere: boolean
  has_account: boolean
}

const ABROAD = 'This person also works elsewhere in the company. Its administrators manage their account.'
const ONLY_HERE = 'This person works nowhere else in the company. Deactivate or delete the account instead.'
const OWN_SIGN_IN = 'Change how you sign in on your own profile.'

/** As functions, because most are never thrown: a list checks all rights over each person. */
type Refused = () => Refusal

const toOneself: Partial<Record<UserRight, Refused>> = {
  deactivate: () => conflict('activation_status', 'You cannot deactivate yourself.'),
  delete: () => conflict('activation_status', 'You cannot delete yourself.'),
  erase: () => conflict('id', 'You cannot erase yourself.'),
  remove_roles: () => conflict('user_general_roles', 'You cannot remove your own roles.'),
  // Somebody else at an open browser must not get around the password like this.
  reset_password: () => new Refusal(409, OWN_SIGN_IN),
  take_second_factor: () => new Refusal(409, OWN_SIGN_IN),
}

/** Rights over roles in this place only, also for people whose account is managed elsewhere. */
const WIDE = new Set<UserRight>(['give_roles', 'remove_roles', 'resend_welcome'])

export function refusalOf(right: UserRight, actor: Actor, person: Subject): Refused | null {
  const isOwn = actor.user_id === person.id
  if (!isPermitted(right, actor, person.id)) return forbidden
  if (person.is_super_admin && !actor.is_super_admin) return forbidden
  if (person.works_elsewhere && !isOwn && !WIDE.has(right)) return () => forbidden(ABROAD)
  if (right === 'download') return null
  if (person.erased_on !== null) return () => new Refusal(409, ERASED_PERSON)
  if (isOwn && toOneself[right]) return toOneself[right]
  if (right === 'remove_roles' && !person.works_elsewhere) return () => new Refusal(409, ONLY_HERE)
  return refusalOfAccount(right, person)
}

function isPermitted(right: UserRight, actor: Actor, id: number): boolean {
  if (right === 'edit') return mayEditUser(actor, id)
  if (right === 'resend_welcome') return may(actor, 'users:create')
  if (right === 'download' && actor.user_id === id) return true
  // A person may have left traces in every sub-tenant.
  if (right === 'erase' && actor.sub_tenant_id !== null) return false
  return may(actor, 'users:edit')
}

function refusalOfAccount(right: UserRight, person: Subject): Refused | null {
  const { activation_status } = person
  if (right === 'resend_welcome') {
    if (activation_status === 'active') return () => new Refusal(409, 'This person has signed in already.')
    if (activation_status === 'disabled') return () => new Refusal(409, 'This account is deactivated.')
  }
  if (right !== 'reset_password' && right !== 'take_second_factor') return null
  if (activation_status === 'invited')
    return () => new Refusal(409, 'This person has never signed in. Send an invitation instead.')
  if (!person.has_account) return () => new Refusal(409, 'The company manages this in its own sign-in.')
  return null
}
