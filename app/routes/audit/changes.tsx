/** The details of a log line: facts, and old and new values. */
import { type AuditEvent, actionInWords, nameInWords } from '#app/domain/audit/audit-event.ts'
import { isDifference } from '#app/domain/audit/difference.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { valueInWords } from './value-words.ts'

type ChangesProps = { event: AuditEvent; zone: string }

export function Changes({ event: { action, subject, changes }, zone }: ChangesProps) {
  const what = actionInWords(action)
  return (
    <details className="audit-changes">
      <summary>
        Show details
        <span className="hidden-words">{` of ${subject.name ? `${what}: ${isolated(subject.name)}` : what}`}</span>
      </summary>
      <dl>
        {Object.entries(changes).map(([name, value]) => (
          <div key={name}>
            <dt>{nameInWords(name)}</dt>
            <dd>
              {isDifference(value) ? (
                <>
                  <span className="hidden-words">was </span>
                  <del>{valueInWords(value.before, zone)}</del>
                  <span className="hidden-words">, is now</span> →{' '}
                  <ins>{valueInWords(value.after, zone)}</ins>
                </>
              ) : (
                valueInWords(value, zone)
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
