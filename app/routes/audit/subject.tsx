/** What a line of the log is about: by name, with a way there where there is one. */
import { Link } from '@remix-run/react'
import { encodePath } from '#app/api/path.ts'
import type { AuditEvent } from '#app/domain/audit/audit-event.ts'

type SubjectProps = AuditEvent['subject'] & { isInPart: boolean }

export function Subject(subject: SubjectProps) {
  const { type, id, name } = subject
  const kind = type.replaceAll('_', ' ')
  if (!name) return [kind, id].filter(Boolean).join(' ')
  const to = pathOf(subject)
  return (
    <span title={[kind, id].filter(Boolean).join(' ')}>
      {kind} {to ? <Link to={to}>{name}</Link> : name}
    </span>
  )
}

/** Where an administrator opens it. */
function pathOf({ type, id, is_there, journey_id, isInPart }: SubjectProps): string | null {
  if (!is_there || id === null) return null
  if (type === 'user') return encodePath`/users/edit/${id}`
  if (type === 'assessment' && journey_id !== null) return encodePath`/lljs/${journey_id}/assessments`
  if (type === 'api_key') return '/settings/company/keys'
  if (journey_id !== null) return encodePath`/lljs/${journey_id}/schedule`
  if (type === 'tenant' || (type === 'sub_tenant' && isInPart)) return '/settings/company'
  return type === 'sub_tenant' ? encodePath`/subtenants/${id}/edit` : null
}
