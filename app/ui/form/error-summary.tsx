/** The errors of a form in one place above it, each with a link to its field. */
import type { MouseEvent } from 'react'
import { Icon } from '#app/ui/icons.tsx'

export type FieldProblem = { fieldId: string; label: string; errors: readonly string[] }

type ErrorSummaryProps = {
  id: string
  /** The title, saying what was not done. */
  title?: string | undefined
  general?: readonly string[]
  problems: readonly FieldProblem[]
}

export function ErrorSummary({
  id,
  title = 'Nothing has been saved yet',
  general = [],
  problems,
}: ErrorSummaryProps) {
  return (
    <div className="form-errors" role="alert" id={id} tabIndex={-1} data-accent-color="red">
      <Icon name="error" />
      <div>
        <p className="form-errors-title">{title}. Please check the following:</p>
        <ul>
          {general.map((error) => (
            <li key={error}>{error}</li>
          ))}
          {problems.map(({ fieldId, label, errors }) => (
            <li key={fieldId}>
              <a href={`#${fieldId}`} onClick={goToField}>
                {label}: {inSentences(errors)}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** Some messages end in a period, and some do not. */
const inSentences = (errors: readonly string[]): string => errors.join('. ').replaceAll('.. ', '. ')

/** Handles the link itself: another URL, even with a new hash only, would be a navigation for the router, and lose the input. */
function goToField(event: MouseEvent<HTMLAnchorElement>): void {
  const field = document.getElementById(event.currentTarget.hash.slice(1))
  if (!field) return
  event.preventDefault()
  field.focus()
}
