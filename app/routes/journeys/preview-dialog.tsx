/** The time machine: what each learner gets and when, and why then. */
import type { Member } from '#app/domain/members/member.ts'
import type { Preview, PreviewEntry } from '#app/domain/schedules/preview.ts'
import { Modal } from '#app/ui/dialog.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { type Column, DataTable } from '#app/ui/table.tsx'
import { inWords } from './journey-badge.tsx'

type Props = {
  preview: Preview
  as_of: string | undefined
  learners: readonly Pick<Member, 'user_id' | 'name'>[]
  isDraft: boolean
  closeHref: string
}

export function PreviewDialog({ preview, as_of, learners, isDraft, closeHref }: Props) {
  const [first] = preview.entries
  return (
    <Modal title="Who gets what, when" closeHref={closeHref} size="large">
      <div className="stack">
        <form method="get" className="stack">
          <input type="hidden" name="preview" value="true" />
          <label className="field">
            Learner
            <select className="input" name="user" defaultValue={first ? String(first.user_id) : ''}>
              {learners.map(({ user_id, name }) => (
                <option key={user_id} value={user_id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            {isDraft ? 'If it is launched on' : 'Seen from'}
            <input
              className="input"
              type="date"
              name="as_of"
              defaultValue={as_of ?? preview.as_of.slice(0, 10)}
            />
          </label>
          <button type="submit" className="rt-reset rt-BaseButton rt-Button rt-r-size-2 rt-variant-soft">
            Show
          </button>
        </form>
        {preview.entries.length > 0 ? (
          <DataTable
            caption="Lifts and their times"
            columns={COLUMNS}
            rows={preview.entries}
            rowKey="lift_id"
          />
        ) : (
          <Empty title="Nothing is planned" hint="Add a learner and a lift that is ready." />
        )}
      </div>
    </Modal>
  )
}

const COLUMNS: readonly Column<PreviewEntry>[] = [
  { key: 'title', label: 'Lift' },
  { key: 'rule', label: 'Rule' },
  {
    key: 'due_at',
    label: 'When',
    render: ({ due_at, zone }) =>
      due_at ? (
        <time dateTime={due_at}>
          {momentIn(zone, due_at)} ({zone})
        </time>
      ) : (
        'Open'
      ),
  },
  { key: 'channel', label: 'By', render: ({ channel }) => CHANNELS[channel] },
  { key: 'state', label: 'State', render: ({ state }) => inWords(state) },
  {
    key: 'why',
    label: 'Why then',
    render: ({ why }) => why.map((one) => one.text).join(' ') || 'As planned.',
  },
]

const CHANNELS = { sms: 'Text message', email: 'E-mail', in_app: 'In the app' } as const

const momentIn = (zone: string, at: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
    .format(new Date(at))
    .replace('\u202f', ' ')
