import { percent } from '#app/domain/analytics/rate.ts'
import type { Export } from '#app/domain/exports/export.ts'
import { sentInWords, titleOfExport } from '#app/domain/exports/export-words.ts'
import { dayInWords } from '#app/domain/text/date-format.ts'
import { Day } from '#app/ui/day.tsx'
import type { Column } from '#app/ui/list/table.tsx'

const FORMATS: Record<Export['format'], string> = { csv: 'CSV', xlsx: 'Excel', json: 'JSON', sent: 'Sent' }

export const exportColumns: readonly Column<Export>[] = [
  {
    key: 'kind',
    label: 'Export',
    render: (one) => (
      <>
        {titleOfExport(one)}
        <About one={one} />
      </>
    ),
  },
  { key: 'format', label: 'Kind', render: ({ format }) => FORMATS[format] },
  { key: 'as_of', label: 'As of', render: ({ as_of }) => <Day at={as_of} timed /> },
  { key: 'status', label: 'State', render: (one) => <State one={one} /> },
  {
    key: 'kept_until',
    label: 'Kept until',
    render: ({ kept_until }) => <Day at={kept_until} timed />,
  },
]

/** The filters of the export. */
function About({ one: { journey, lift, learner, from, to, with_addresses } }: { one: Export }) {
  const parts = [
    ['Journey', journey],
    ['Lift', lift],
    ['Learner', learner],
    ['Due from', from && dayInWords(from)],
    ['Due until', to && dayInWords(to)],
  ].filter(([, value]) => value !== null)
  return (
    <span className="report-quiet export-about">
      {parts.map(([name, value]) => (
        <span key={name}>
          {name}: <bdi>{value}</bdi>
        </span>
      ))}
      {with_addresses ? <span>With names and e-mail addresses</span> : null}
    </span>
  )
}

function State({ one }: { one: Export }) {
  const { id, kind, status, format, rows_done, rows_total, problem } = one
  if (status === 'failed') return `${format === 'sent' ? 'Not sent' : 'Failed'}. ${problem ?? ''}`
  if (status === 'waiting') return problem ? `${problem} It is tried again.` : 'Waiting'
  if (status === 'running')
    return (
      <>
        <progress
          className="progress"
          max={Math.max(1, rows_total ?? 1)}
          value={rows_done}
          aria-label={`How far it is: ${titleOfExport(one)}`}
        />{' '}
        {rows_total === null ? 'Begun' : percent({ n: rows_done, d: rows_total })}
      </>
    )
  if (format === 'sent') return sentInWords(rows_done, problem)
  return (
    <a href={`/analytics/exports/${id}/file`} download>
      Download
      <span className="hidden-words">
        {` ${titleOfExport({ ...one, kind })} as ${FORMATS[format]}, of `}
        <Day at={one.created_on} timed />
      </span>
    </a>
  )
}
