/** What a line of the log says beyond who did what: facts, and old and new values. */
import type { AuditEvent } from '#app/domain/audit/audit-event.ts'
import { isDifference } from '#app/domain/audit/difference.ts'

export function Changes({ changes }: { changes: AuditEvent['changes'] }) {
  const entries = Object.entries(changes)
  if (entries.length === 0) return null
  return (
    <details className="audit-changes">
      <summary>Show details</summary>
      <dl>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>
              {isDifference(value) ? (
                <>
                  <span className="hidden-words">was </span>
                  <del>{inWords(value.before)}</del>
                  <span className="hidden-words">, is now</span> → <ins>{inWords(value.after)}</ins>
                </>
              ) : (
                inWords(value)
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function inWords(value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
