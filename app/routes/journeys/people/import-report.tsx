/** A preview of the import of participants, row by row. */

import type { MembersImported } from '#app/domain/participants/member.ts'
import { figures } from '#app/domain/text/figures.ts'

const OUTCOMES = {
  added: 'is added',
  returns: 'comes back',
  changed: 'is changed',
  same: 'already in this journey, nothing changes',
}

const FIELDS = { role: 'role', sponsor: 'sponsor', exclude_data: 'excluded from analytics' }

export function ImportReport({ rows, joining_sponsors, problems }: MembersImported) {
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
            <strong>Preview of this import:</strong> {countsOf(rows)}
          </p>
          <ul className="problems">
            {rows.slice(0, MAX_SHOWN).map((row) => (
              <li key={row.line}>
                {row.name} ({row.role}) {OUTCOMES[row.outcome]}
                {row.changes.length > 0 ? `: ${row.changes.map(toWords(row)).join('; ')}` : null}
              </li>
            ))}
            <More count={rows.length} />
          </ul>
          {joining_sponsors.length > 0 ? (
            <p>
              {joining_sponsors.length === 1
                ? 'One more person joins'
                : `${figures(joining_sponsors.length)} more people join`}{' '}
              because the table names them as a sponsor: {joining_sponsors.slice(0, MAX_SHOWN).join(', ')}
              {joining_sponsors.length > MAX_SHOWN ? ' and others' : ''}.
            </p>
          ) : null}
        </>
      )}
    </div>
  )
}

type Row = MembersImported['rows'][number]

const toWords =
  ({ outcome }: Row) =>
  ({ field, before, after }: Row['changes'][number]) => {
    if (outcome !== 'added') return `${FIELDS[field]} ${before} → ${after}`
    return field === 'exclude_data' ? FIELDS[field] : `${FIELDS[field]} ${after}`
  }

function countsOf(rows: readonly Row[]): string {
  const words = { added: 'added', returns: 'back again', changed: 'changed', same: 'as they are' } as const
  return Object.entries(words)
    .map(([outcome, word]) => ({ word, count: rows.filter((row) => row.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${figures(count)} ${word}`)
    .join(', ')
}

const MAX_SHOWN = 50
const More = ({ count }: { count: number }) =>
  count > MAX_SHOWN ? <li>and {figures(count - MAX_SHOWN)} more</li> : null
