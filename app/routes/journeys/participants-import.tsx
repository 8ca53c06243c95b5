/** Participants from a table: what it would do is shown before it does it. */
import type { MembersImported } from '#app/domain/participants/member.ts'
import { SubmitButton } from '#app/ui/form.tsx'
import { Form } from '#app/ui/place-form.tsx'

export type TableAnswer = { table?: MembersImported; csv?: string; problem?: string; tableProblem?: string }

const OUTCOMES = {
  added: 'is added',
  returns: 'comes back',
  changed: 'is changed',
  same: 'takes part already, nothing changes',
}
const EXAMPLE = [
  'email,role,sponsor,exclude_data',
  'lena@company.example,learner,sam@company.example,no',
  'sam@company.example,sponsor,,',
].join('\n')

export function ImportTable({ table, csv, tableProblem }: TableAnswer) {
  const isRight = table !== undefined && table.problems.length === 0
  return (
    <details className="more" open={table !== undefined || tableProblem !== undefined}>
      <summary>Add from a table (CSV)</summary>
      <Columns />
      <Form method="post" encType="multipart/form-data" preventScrollReset className="stack">
        {tableProblem ? (
          <p className="field-errors" role="alert">
            {tableProblem}
          </p>
        ) : null}
        {table ? <Report {...table} /> : null}
        {isRight ? (
          <div>
            <input type="hidden" name="sure" value="true" />
            <SubmitButton intent="import-members">Do this now</SubmitButton>
          </div>
        ) : null}
        <label className="field">
          <span className="field-label">{isRight ? 'Another file instead' : 'File'}</span>
          {/* Emptied once it was read: what is corrected below would lose to it. */}
          <input
            key={csv}
            className="input input-file"
            type="file"
            name="file"
            accept=".csv,text/csv,text/plain"
          />
        </label>
        <label className="field">
          <span className="field-label">
            {isRight ? 'The table that was checked' : 'Or the table itself'}
          </span>
          <textarea
            key={csv}
            className="input input-area"
            name="csv"
            rows={5}
            defaultValue={csv}
            spellCheck={false}
          />
        </label>
        {isRight ? null : (
          <div>
            <SubmitButton intent="import-members">Check the table</SubmitButton>
          </div>
        )}
      </Form>
    </details>
  )
}

function Columns() {
  return (
    <div className="field-help stack">
      <p>
        One person on each line. The first line names the columns, in any order. Nothing is saved before you
        have seen what would happen.
      </p>
      <dl className="columns">
        <dt>email</dt>
        <dd>Needed. Somebody who is a user of your company already.</dd>
        <dt>role</dt>
        <dd>learner, sponsor or facilitator; learner if left empty.</dd>
        <dt>sponsor</dt>
        <dd>The e-mail of the learner’s sponsor; left empty, it stays as it is.</dd>
        <dt>exclude_data</dt>
        <dd>yes to leave the person out of all figures, no to count them; left empty, it stays as it is.</dd>
      </dl>
      <p>
        <a download="participants.csv" href={`data:text/csv;charset=utf-8,${encodeURIComponent(EXAMPLE)}`}>
          Download an example
        </a>
      </p>
    </div>
  )
}

const FIELDS = { role: 'role', sponsor: 'sponsor', exclude_data: 'left out of the figures' }

function Report({ rows, problems }: MembersImported) {
  return (
    <div className="stack" role="status">
      {problems.length > 0 ? (
        <>
          <p className="field-errors">Nothing was changed. Please correct the table:</p>
          <ul className="problems">
            {problems.slice(0, MAX_SHOWN).map(({ line, message }) => (
              <li key={`${line} ${message}`}>
                Line {line}: {message}
              </li>
            ))}
            <More count={problems.length} />
          </ul>
        </>
      ) : (
        <>
          <p>
            <strong>This would happen:</strong> {countsOf(rows)}
          </p>
          <ul className="problems">
            {rows.slice(0, MAX_SHOWN).map((row) => (
              <li key={row.line}>
                {row.name} ({row.role}) {OUTCOMES[row.outcome]}
                {row.changes.length > 0 ? `: ${row.changes.map(toWords).join('; ')}` : null}
              </li>
            ))}
            <More count={rows.length} />
          </ul>
        </>
      )}
    </div>
  )
}

type Row = MembersImported['rows'][number]

const toWords = ({ field, before, after }: Row['changes'][number]) => `${FIELDS[field]} ${before} → ${after}`

function countsOf(rows: readonly Row[]): string {
  const words = { added: 'added', returns: 'back again', changed: 'changed', same: 'as they are' } as const
  return Object.entries(words)
    .map(([outcome, word]) => ({ word, count: rows.filter((row) => row.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count} ${word}`)
    .join(', ')
}

const MAX_SHOWN = 50
const More = ({ count }: { count: number }) =>
  count > MAX_SHOWN ? <li>and {count - MAX_SHOWN} more</li> : null
