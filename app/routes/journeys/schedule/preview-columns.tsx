/** The columns of a learner's plan. */

import type { PreviewEntry } from '#app/domain/planning/preview/preview.ts'
import { formatDate } from '#app/domain/text/date-format.ts'
import type { Column } from '#app/ui/list/table.tsx'
import { inWords } from '../journey-badge.tsx'

/** Reasons for e-mail, given once above the table instead of in each row. */
export const BY_EMAIL: readonly string[] = ['channel', 'number']

type Before = ReadonlyMap<number, PreviewEntry> | null
export const columnsFor = (before: Before): readonly Column<PreviewEntry>[] => [
  { key: 'title', label: 'Lift' },
  { key: 'rule', label: 'Rule' },
  { key: 'send_at', label: 'When', render: (entry) => <When entry={entry} before={before} /> },
  { key: 'channel', label: 'Channel', render: ({ channel }) => CHANNELS[channel] },
  { key: 'state', label: 'State', render: ({ state }) => inWords(state) },
  {
    key: 'why',
    label: 'Reason',
    render: ({ why }) =>
      why
        .filter((one) => !BY_EMAIL.includes(one.code))
        .map((one) => one.text)
        .join(' ') || 'On schedule.',
  },
]

function When({ entry, before }: { entry: PreviewEntry; before: Before }) {
  const was = before?.get(entry.lift_id)
  const isOther = before !== null && (!was || inWordsOf(was) !== inWordsOf(entry))
  return (
    <>
      <Moment {...entry} />
      {isOther ? (
        <span className="instead"> instead of {was ? <Moment {...was} /> : 'not at all'}</span>
      ) : null}
    </>
  )
}

type Occurrence = Pick<PreviewEntry, 'due_at' | 'send_at' | 'zone'>
/** The time of its message; without one, the time from which it is in the to-do list. */
function Moment(occurrence: Occurrence) {
  const at = occurrence.send_at ?? occurrence.due_at
  return at ? <time dateTime={at}>{inWordsOf(occurrence)}</time> : OPEN
}

const OPEN = 'open'
const inWordsOf = ({ send_at, due_at, zone }: Occurrence): string => {
  const at = send_at ?? due_at
  return at ? `${momentIn(zone, at)} (${zone})` : OPEN
}

const CHANNELS = { sms: 'Text message', email: 'E-mail', in_app: 'In the app' } as const
const momentIn = (zone: string, at: string): string =>
  formatDate(new Date(at), { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
