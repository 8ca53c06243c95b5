/** The subject of a log line: its name, linked if there is a page. */
import { type AuditEvent, nameInWords } from '#app/domain/audit/audit-event.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { Link } from '#app/ui/link.tsx'

/** Whose log it is. */
export type Place = 'company' | 'sub-tenant' | 'platform'

type SubjectProps = AuditEvent['subject'] & { place: Place }

export function Subject(subject: SubjectProps) {
  const { type, id, name } = subject
  const kind = nameInWords(type)
  if (!name) return [kind, id].filter(Boolean).join(' ')
  const to = pathOf(subject)
  return (
    <span className="audit-subject" title={[kind, id].filter(Boolean).join(' ')}>
      {kind} {to ? <Link to={to}>{name}</Link> : name}
    </span>
  )
}

/** Its page for administrators. */
function pathOf({ type, id, is_there, journey_id, place }: SubjectProps): string | null {
  if (!is_there || id === null || place === 'platform') return null
  if (type === 'user') return encodePath`/users/edit/${id}`
  if (type === 'assessment' && journey_id !== null) return encodePath`/lljs/${journey_id}/assessments`
  if (type === 'api_key') return '/settings/company/keys'
  if (journey_id !== null) return encodePath`/lljs/${journey_id}/schedule`
  if (type === 'tenant' || (type === 'sub_tenant' && place === 'sub-tenant')) return '/settings/company'
  return type === 'sub_tenant' ? encodePath`/subtenants/${id}/edit` : null
}
