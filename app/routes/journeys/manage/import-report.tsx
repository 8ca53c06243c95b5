/** The content of a journey's file, and its errors by line. */
import type { ImportResult } from '#app/domain/running/documents/document.ts'

const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`

export function ImportReport({ problems, name, lifts, prompts, objectives, assessments }: ImportResult) {
  return (
    <div className="stack" role="status">
      {name ? (
        <p>
          <strong>{name}</strong>: {count(lifts, 'lift')}, {count(prompts, 'question')},{' '}
          {count(objectives, 'learning objective')}, {count(assessments, 'assessment')}
        </p>
      ) : null}
      {problems.some((one) => one.severity === 'error') ? (
        <p className="field-errors">Nothing was created. Please correct the text below:</p>
      ) : null}
      {problems.length > 0 ? (
        <ul className="problems">
          {problems.map(({ line, severity, message }) => (
            <li key={`${line} ${message}`}>
              {severity === 'error' ? <strong>Line {line}: </strong> : `Line ${line}, advice: `}
              {message}
            </li>
          ))}
        </ul>
      ) : (
        <p>No problems in this file.</p>
      )}
    </div>
  )
}
