/** Fields of a line that are ids: by action and field, the kind of thing that they refer to. */
import type { AuditEvent } from './audit-event.ts'
import { isDifference } from './difference.ts'

const MEMBERS = { member: 'member', members: 'member', sponsors: 'member', sponsor_id: 'member' }
const LEARNER = { learner: 'user' }
const NUMBERED: Record<string, Record<string, string>> = {
  'user_group.people_changed': { added: 'user', removed: 'user' },
  'learner.encouraged': LEARNER,
  'commitment.acknowledged': LEARNER,
  'assessment.reopened': { user: 'user' },
  'members.added': MEMBERS,
  'members.changed': MEMBERS,
  'member.removed': MEMBERS,
  'member.left': MEMBERS,
  'lifts.ordered': { lifts: 'lift' },
  'prompts.ordered': { prompts: 'prompt' },
  'prompt.created': { lift: 'lift' },
  'prompt.deleted': { lift: 'lift' },
  'journey.duplicated': { from: 'journey' },
}

export type Numbered = Pick<AuditEvent, 'action' | 'changes'>

export const numberedIn = ({ action, changes }: Numbered) =>
  Object.entries(NUMBERED[action] ?? {}).flatMap(([field, subject_type]) =>
    numbersIn(changes[field]).map((id) => ({ subject_type, subject_id: String(id) })),
  )

function numbersIn(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(numbersIn)
  if (isDifference(value)) return [value.before, value.after].flatMap(numbersIn)
  return typeof value === 'number' ? [value] : []
}

/** Things without a name, or not visible from here, keep their id. */
export function withNames({ action, changes, names }: Numbered & Pick<AuditEvent, 'names'>) {
  const kinds = NUMBERED[action] ?? {}
  const named = (kind: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => named(kind, one))
    if (isDifference(value)) return { before: named(kind, value.before), after: named(kind, value.after) }
    return typeof value === 'number' ? (names[`${kind}:${value}`] ?? value) : value
  }
  return Object.fromEntries(
    Object.entries(withPlace(changes)).map(([field, value]) => {
      const kind = kinds[field]
      return [field, kind ? named(kind, value) : value]
    }),
  )
}

/** The name beside the id of a sub-tenant stands for it. */
function withPlace({ sub_tenant_id, ...others }: Numbered['changes']): Numbered['changes'] {
  return sub_tenant_id ? { sub_tenant: sub_tenant_id, ...others } : others
}
