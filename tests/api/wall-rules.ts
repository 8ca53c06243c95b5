/** Who of two companies and their parts meets which row of a table: written down apart from the policies themselves. */
import type { Place } from './catalogue-rows.ts'

export type Command = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'
/** Where somebody stands: in a part, in the middle of a company, nowhere, or above all companies. */
export type Scope = { name: string; tenant: string | null; sub: string | null; isOperator: boolean }

/** Tables whose rows belong to a person or to the tenant as a whole: a sub-tenant's scope does not narrow them. */
export const WHOLE_TENANT = [
  'consent_events',
  'contact_changes',
  'files',
  'idempotency_keys',
  'inbound_texts',
  'notifications',
  'outbox_messages',
  'sent_messages',
  'sessions',
  'user_identities',
]

const ofTenant = (place: Place, scope: Scope) => place.tenant === scope.tenant
const ofPart = (place: Place, scope: Scope) =>
  ofTenant(place, scope) && (scope.sub === null || place.sub === scope.sub)

/** Whether a command meets the row of a place. A table that nothing is said of is kept apart by parts. */
export function meets(table: string, command: Command, place: Place, scope: Scope): boolean {
  // Of all companies the operator has the names and the parts, and nothing that is inside.
  if (scope.isOperator) return table === 'tenants' || table === 'sub_tenants'
  if (table === 'files') {
    const ofCompany = command === 'SELECT' && ofTenant(place, scope) && place.sub === null
    return ofCompany || ofPart(place, scope)
  }
  if (WHOLE_TENANT.includes(table)) return ofTenant(place, scope)
  // Tenants are made and removed by the operator only, parts by the middle of the company.
  if (table === 'tenants') return /SELECT|UPDATE/.test(command) && ofTenant(place, scope)
  if (table === 'sub_tenants' && /INSERT|DELETE/.test(command))
    return ofTenant(place, scope) && scope.sub === null
  return ofPart(place, scope) || (table === 'users' && command === 'INSERT' && ofTenant(place, scope))
}

/** Whether a row that is changed may be of that place afterwards. */
export const mayBecome = (table: string, place: Place, scope: Scope): boolean =>
  // A person is of the tenant; which sub-tenants they belong to, their roles say.
  table === 'users' ? ofTenant(place, scope) : meets(table, 'UPDATE', place, scope)
