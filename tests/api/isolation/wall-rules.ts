/** Which rows of a table each scope of two companies sees: written independently of the policies. */
import type { Place } from './catalogue-rows.ts'

export type Command = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'
/**
 * Where the caller is: in a sub-tenant, in a company outside sub-tenants, nowhere, or above all companies; `learns`:
 * acting as a participant, as the learner in the journey of that place.
 */
export type Scope = {
  name: string
  tenant: string | null
  sub: string | null
  isOperator: boolean
  learns?: string
}

/** Tables whose rows belong to a person or to the whole tenant: a sub-tenant's scope does not narrow them. */
export const WHOLE_TENANT = [
  'address_events',
  'consent_events',
  'contact_changes',
  'email_domains',
  'ended_sessions',
  'fact_user',
  'fact_user_changes',
  'files',
  'idempotency_keys',
  'inbound_texts',
  'mail_stops',
  'monday_mails',
  'notifications',
  'outbox_messages',
  'refused_sign_ins',
  'sent_messages',
  'sessions',
  'sign_in_links',
  'user_identities',
]

/** The tables of a journey, with a learner's commands on their own rows, once its lift has been sent. */
const OF_PARTICIPANTS: Readonly<Record<string, readonly Command[]>> = {
  journeys: ['SELECT'],
  lifts: ['SELECT'],
  lift_versions: ['SELECT'],
  file_uses: ['SELECT'],
  files: ['SELECT'],
  members: ['SELECT', 'UPDATE'],
  occurrences: ['SELECT', 'UPDATE'],
  responses: ['SELECT', 'INSERT', 'UPDATE'],
  commitments: ['SELECT', 'INSERT', 'UPDATE'],
  encouragements: ['SELECT'],
  commitment_events: ['SELECT', 'INSERT'],
  assessments: ['SELECT'],
  assessment_items: ['SELECT'],
  assessment_forms: ['SELECT', 'UPDATE'],
  learning_objectives: [],
  prompts: [],
  lift_objectives: [],
  prompt_objectives: [],
  dispatches: [],
  fact_occurrence: [],
  lift_tallies: [],
  answer_tallies: [],
  learner_tallies: [],
  fact_learner: [],
  export_parts: [],
  user_group_users: [],
  journey_plans: [],
  journey_pauses: [],
}

const ofTenant = (place: Place, scope: Scope) => place.tenant === scope.tenant
const ofSubTenant = (place: Place, scope: Scope) =>
  ofTenant(place, scope) && (scope.sub === null || place.sub === scope.sub)

/** Whether a command reaches the row of a place. By default a table's rows are separated by sub-tenant. */
export function meets(table: string, command: Command, place: Place, scope: Scope): boolean {
  const isOwn = scope.learns !== undefined && (table in OF_PARTICIPANTS || table === 'users')
  return isOwn ? meetsOwn(table, command, place, scope) : meetsOfPlace(table, command, place, scope)
}

function meetsOfPlace(table: string, command: Command, place: Place, scope: Scope): boolean {
  // The operator sees the names and sub-tenants of all companies, and nothing inside them.
  if (scope.isOperator) return table === 'tenants' || table === 'sub_tenants'
  if (table === 'files') {
    const ofCompany = command === 'SELECT' && ofTenant(place, scope) && place.sub === null
    return ofCompany || ofSubTenant(place, scope)
  }
  if (WHOLE_TENANT.includes(table)) return ofTenant(place, scope)
  // Only the operator creates and removes tenants; sub-tenants are created and removed from outside sub-tenants.
  if (table === 'tenants') return /SELECT|UPDATE/.test(command) && ofTenant(place, scope)
  if (table === 'sub_tenants' && /INSERT|DELETE/.test(command))
    return ofTenant(place, scope) && scope.sub === null
  return ofSubTenant(place, scope) || (table === 'users' && command === 'INSERT' && ofTenant(place, scope))
}

/** As a participant; everyone sees their own user, too. */
function meetsOwn(table: string, command: Command, place: Place, scope: Scope): boolean {
  const isTheirs = place.name === scope.learns
  if (table !== 'users') return isTheirs && (OF_PARTICIPANTS[table]?.includes(command) ?? false)
  return isTheirs || ofSubTenant(place, scope) || (command === 'INSERT' && ofTenant(place, scope))
}

/** Whether a changed row may belong to that place afterwards. */
export const mayBecome = (table: string, place: Place, scope: Scope): boolean =>
  // A person belongs to the tenant; their roles name the sub-tenants.
  table === 'users' ? ofTenant(place, scope) : meets(table, 'UPDATE', place, scope)
