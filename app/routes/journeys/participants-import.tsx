/** Participants from a table: what it would do is shown before it does it. */
import type { MembersImported } from '#app/domain/members/member.ts'
import { SubmitButton } from '#app/ui/form.tsx'
import { Form } from '#app/ui/place-form.tsx'

export type TableAnswer = { table?: MembersImported; csv?: string; problem?: string }

const OUTCOMES = {
  added: 'is added',
  returns: 'comes back',
  changed: 'is changed',
  same: 'takes part already',
}

export function ImportTable({ table, csv }: TableAnswer) {
  const isRight = table !== undefined && table.problems.length === 0
  return (
    <details className="more" open={table !== undefined}>
      <summary>Add from a table (CSV)</summary>
      <p className="field-help">
        The first line names the columns: email, and if you like role (learner, sponsor or facilitator),
        sponsor (their e-mail) and exclude_data (yes: not in the figures). Nothing is saved before you have
        seen what it would do.
      </p>
      <Form method="post" encType="multipart/form-data" preventScrollReset className="stack">
        {table ? <Report {...table} /> : null}
        <label className="field">
          <span className="field-label">File</span>
          <input className="input input-file" type="file" name="file" accept=".csv,text/csv,text/plain" />
        </label>
        <label className="field">
          <span className="field-label">Or the table itself</span>
          <textarea
            key={csv}
            className="input input-area"
            name="csv"
            rows={5}
            defaultValue={csv}
            placeholder={'email,role,sponsor,exclude_data\nlena@example.com,learner,sam@example.com,no'}
          />
        </label>
        {isRight ? <input type="hidden" name="sure" value="true" /> : null}
        <div>
          <SubmitButton intent="import-members">
            {isRight ? 'Add these people' : 'Check the table'}
          </SubmitButton>
        </div>
      </Form>
    </details>
  )
}

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
        <ul className="problems">
          {rows.slice(0, MAX_SHOWN).map(({ line, name, role, outcome }) => (
            <li key={line}>
              {name} ({role}) {OUTCOMES[outcome]}
            </li>
          ))}
          <More count={rows.length} />
        </ul>
      )}
    </div>
  )
}

const MAX_SHOWN = 50
const More = ({ count }: { count: number }) =>
  count > MAX_SHOWN ? <li>and {count - MAX_SHOWN} more</li> : null
