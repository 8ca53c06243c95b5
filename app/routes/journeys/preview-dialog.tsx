/** The time machine: what each learner gets and when, and why then; also as it would be. */
import { dateFormat } from '#app/domain/date-format.ts'
import type { Journey } from '#app/domain/journeys/journey.ts'
import type { PreviewEntry } from '#app/domain/planning/preview.ts'
import { Modal } from '#app/ui/dialog.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { FieldErrors } from '#app/ui/field.tsx'
import { Form } from '#app/ui/place-form.tsx'
import { type Column, DataTable } from '#app/ui/table.tsx'
import type { Foreseen } from './foresee.server.ts'
import { ImpactNumbers } from './impact-question.tsx'
import { inWords } from './journey-badge.tsx'
import { WhatIf } from './what-if.tsx'

type Props = { foreseen: Foreseen; journey: Journey; closeHref: string }

export function PreviewDialog({ foreseen, journey, closeHref }: Props) {
  return (
    <Modal title="Who gets what, when" closeHref={closeHref} size="large">
      <div className="stack">
        <Viewpoint foreseen={foreseen} isDraft={journey.status === 'draft'} />
        {foreseen.isNobody ? (
          <Empty title={`Nobody matches “${foreseen.who}”`} hint="Look for another name or e-mail." />
        ) : (
          <Plan foreseen={foreseen} journey={journey} />
        )}
      </div>
    </Modal>
  )
}

/** Said once, not in every row: who agreed to no text messages gets e-mails in their place. */
function WithoutTexts({ entries }: { entries: readonly PreviewEntry[] }) {
  const instead = entries.filter(({ why }) => why.some((one) => one.code === 'channel'))
  const [first] = instead
  if (!first) return null
  const count = instead.length === 1 ? '1 lift goes' : `${instead.length} lifts go`
  return (
    <p>
      {count} by e-mail, because {first.name} has not agreed to text messages. Only {first.name} can change
      that, under Privacy and notifications.
    </p>
  )
}

function Plan({ foreseen, journey }: Pick<Props, 'foreseen' | 'journey'>) {
  const { preview, tried, person } = foreseen
  const entries = tried?.preview?.entries ?? preview.entries
  const before = new Map(preview.entries.map((entry) => [entry.lift_id, entry]))
  return (
    <>
      <WithoutTexts entries={entries} />
      {entries.length > 0 ? (
        <DataTable
          caption={tried?.preview ? 'Lifts and their times as they would be' : 'Lifts and their times'}
          columns={columnsFor(tried?.preview ? before : null)}
          rows={entries}
          rowKey="lift_id"
        />
      ) : (
        <Empty title="Nothing is planned" hint="Add a learner and a lift that is ready." />
      )}
      {tried?.preview?.impact ? (
        <section className="impact" aria-label="What saving this would do">
          <h3>Saving this for everybody would mean</h3>
          <ImpactNumbers impact={tried.preview.impact} />
        </section>
      ) : null}
      <WhatIf key={person ?? 0} foreseen={foreseen} journey={journey} />
    </>
  )
}

/** Whose eyes, and from which day; a search where there are more people than a list can show. */
function Viewpoint({ foreseen, isDraft }: { foreseen: Foreseen; isDraft: boolean }) {
  const { learners, isNobody, isLong, person, who, as_of, wrongDate, preview } = foreseen
  return (
    <Form method="get" className="stack" preventScrollReset>
      <input type="hidden" name="preview" value="true" />
      {isLong || who ? (
        <div className="field">
          <label className="field-label" htmlFor="preview-who">
            Find a learner
          </label>
          <input
            className="input"
            type="search"
            id="preview-who"
            name="who"
            defaultValue={who}
            placeholder="Name or e-mail"
          />
        </div>
      ) : null}
      {isNobody ? null : (
        <div className="field">
          <label className="field-label" htmlFor="preview-user">
            Learner
          </label>
          <select className="input input-select" id="preview-user" name="user" defaultValue={person ?? ''}>
            {learners.length === 0 ? <option value="">Nobody takes part yet</option> : null}
            {learners.map(({ user_id, name }) => (
              <option key={user_id} value={user_id}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      <div className="field">
        <label className="field-label" htmlFor="preview-as-of">
          {isDraft ? 'If it is launched on' : 'The plan as it is on this day'}
        </label>
        <input
          className="input"
          type="date"
          id="preview-as-of"
          name="as_of"
          defaultValue={as_of ?? dateIn(preview.zone, preview.as_of)}
          {...(wrongDate && { 'aria-invalid': true, 'aria-describedby': 'preview-as-of-error' })}
        />
        <FieldErrors
          id="preview-as-of-error"
          errors={wrongDate ? ['There is no such day: it is shown as of today.'] : undefined}
        />
      </div>
      <div>
        <button type="submit" className="rt-reset rt-BaseButton rt-Button rt-r-size-2 rt-variant-soft">
          Show
        </button>
      </div>
    </Form>
  )
}

type Before = ReadonlyMap<number, PreviewEntry> | null

const columnsFor = (before: Before): readonly Column<PreviewEntry>[] => [
  { key: 'title', label: 'Lift' },
  { key: 'rule', label: 'Rule' },
  { key: 'send_at', label: 'When', render: (entry) => <When entry={entry} before={before} /> },
  { key: 'channel', label: 'By', render: ({ channel }) => CHANNELS[channel] },
  { key: 'state', label: 'State', render: ({ state }) => inWords(state) },
  {
    key: 'why',
    label: 'Why at that time',
    render: ({ why }) =>
      why
        .filter((one) => one.code !== 'channel')
        .map((one) => one.text)
        .join(' ') || 'As planned.',
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

type Turn = Pick<PreviewEntry, 'due_at' | 'send_at' | 'zone'>

/** When its message leaves; what has none stands in the list from when it is due. */
function Moment(turn: Turn) {
  const at = turn.send_at ?? turn.due_at
  return at ? <time dateTime={at}>{inWordsOf(turn)}</time> : OPEN
}

const OPEN = 'open'
const inWordsOf = ({ send_at, due_at, zone }: Turn): string => {
  const at = send_at ?? due_at
  return at ? `${momentIn(zone, at)} (${zone})` : OPEN
}

/** As YYYY-MM-DD. */
const dateIn = (timeZone: string, at: string): string =>
  dateFormat('sv-SE', { timeZone }).format(new Date(at))

const CHANNELS = { sms: 'Text message', email: 'E-mail', in_app: 'In the app' } as const

const momentIn = (zone: string, at: string): string =>
  dateFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
    .format(new Date(at))
    .replace('\u202f', ' ')
