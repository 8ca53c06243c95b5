/** Who of two companies and their parts meets which row of a table: written down apart from the policies themselves. */
import type { Place } from './catalogue-rows.ts'

export type Command = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'
/**
 * Where somebody stands: in a part, in the middle of a company, nowhere, or above all companies; `learns`: acting as a
 * participant, as the learner in the journey of that place.
 */
export type Scope = {
  name: string
  tenant: string | null
  sub: string | null
  isOperator: boolean
  learns?: string
}

/** Tables whose rows belong to a person or to the tenant as a whole: a sub-tenant's scope does not narrow them. */
export const WHOLE_TENANT = [
  'address_events',
  'consent_events',
  'contact_changes',
  'email_domains',
  'ended_sessions',
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

/** What a journey consists of, and what a learner of it meets of their own, to whom its lift has come. */
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
  fact_learner: [],
  export_parts: [],
  user_group_users: [],
  journey_plans: [],
  journey_pauses: [],
}

const ofTenant = (place: Place, scope: Scope) => place.tenant === scope.tenant
const ofSubTenant = (place: Place, scope: Scope) =>
  ofTenant(place, scope) && (scope.sub === null || place.sub === scope.sub)

/** Whether a command meets the row of a place. A table that nothing is said of is kept apart by parts. */
export function meets(table: string, command: Command, place: Place, scope: Scope): boolean {
  const isOwn = scope.learns !== undefined && (table in OF_PARTICIPANTS || table === 'users')
  return isOwn ? meetsOwn(table, command, place, scope) : meetsOfPlace(table, command, place, scope)
}

function meetsOfPlace(table: string, command: Command, place: Place, scope: Scope): boolean {
  // Of all companies the operator has the names and the parts, and nothing that is inside.
  if (scope.isOperator) return table === 'tenants' || table === 'sub_tenants'
  if (table === 'files') {
    const ofCompany = command === 'SELECT' && ofTenant(place, scope) && place.sub === null
    return ofCompany || ofSubTenant(place, scope)
  }
  if (WHOLE_TENANT.includes(table)) return ofTenant(place, scope)
  // Tenants are made and removed by the operator only, parts by the middle of the company.
  if (table === 'tenants') return /SELECT|UPDATE/.test(command) && ofTenant(place, scope)
  if (table === 'sub_tenants' && /INSERT|DELETE/.test(command))
    return ofTenant(place, scope) && scope.sub === null
  return ofSubTenant(place, scope) || (table === 'users' && command === 'INSERT' && ofTenant(place, scope))
}

/** As a participant; everybody meets themselves, too. */
function meetsOwn(table: string, command: Command, place: Place, scope: Scope): boolean {
  const isTheirs = place.name === scope.learns
  if (table !== 'users') return isTheirs && (OF_PARTICIPANTS[table]?.includes(command) ?? false)
  return isTheirs || ofSubTenant(place, scope) || (command === 'INSERT' && ofTenant(place, scope))
}

/** Whether a row that is changed may be of that place afterwards. */
export const mayBecome = (table: string, place: Place, scope: Scope): boolean =>
  // A person is of the tenant; which sub-tenants they belong to, their roles say.
  table === 'users' ? ofTenant(place, scope) : meets(table, 'UPDATE', place, scope)
