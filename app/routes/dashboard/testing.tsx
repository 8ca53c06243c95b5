import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { dateFormat } from '#app/domain/date-format.ts'
import {
  type OutboxMessage,
  OutboxPage,
  OutboxSearch,
  TestTextForm,
  TestTextReceived,
} from '#app/domain/outbox/outbox.ts'
import { CLOCK_STEP_NAMES, ClockForm, TestingClock } from '#app/domain/testing/clock.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { Badge } from '#app/ui/badge.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { FilterBar } from '#app/ui/filter-bar.tsx'
import { NoRows } from '#app/ui/no-rows.tsx'
import { Page } from '#app/ui/page.tsx'
import { Pager } from '#app/ui/pager.tsx'
import { useSearchLink } from '#app/ui/search.ts'
import { type Column, DataTable } from '#app/ui/table.tsx'
import { AnswerAsPhone, PHONE_WORDS } from './answer-as-phone.tsx'
import { TestingClockSection } from './testing-clock.tsx'

export const meta: MetaFunction = () => [{ title: 'Testing · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const search = OutboxSearch.parse(Object.fromEntries(new URL(args.request.url).searchParams))
  const { phone, ...query } = search
  const [outbox, clock] = await Promise.all([
    api.get('/testing/outbox', OutboxPage, query),
    api.get('/testing/clock', TestingClock),
  ])
  return { search, outbox, clock }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const formData = await args.request.formData()
  const intent = intentOf(formData, ['text', ...PHONE_WORDS, ...CLOCK_STEP_NAMES])
  const step = CLOCK_STEP_NAMES.find((name) => name === intent)
  if (step) {
    formData.set('by', step)
    return saveForm(formData, ClockForm, async (form) => {
      await api.post('/testing/clock', form, TestingClock)
      return redirect('/testing')
    })
  }
  if (intent && intent !== 'text') formData.set('text', intent)
  return saveForm(formData, TestTextForm, async (form) => {
    const { from } = form
    const { reply } = await api.post('/testing/texts', form, TestTextReceived)
    return redirectWithToast(`/testing?${new URLSearchParams({ q: from, phone: from })}`, {
      title: 'Text received',
      message: reply ? `The answer: ${reply}` : 'Nobody answers it.',
    })
  })
}

const COLUMNS: readonly Column<OutboxMessage>[] = [
  { key: 'recipient', label: 'To', render: (message) => <Recipient {...message} /> },
  {
    key: 'channel',
    label: 'As',
    render: ({ channel }) => (
      <Badge tone={channel === 'sms' ? 'accent' : 'neutral'}>{channel === 'sms' ? 'Text' : 'E-mail'}</Badge>
    ),
  },
  { key: 'body', label: 'Message', render: (message) => <Body {...message} /> },
  {
    key: 'created_on',
    label: 'Sent',
    render: ({ created_on }) => <time dateTime={created_on}>{moment(created_on)}</time>,
  },
]

const MOMENT = dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const moment = (at: string) => `${MOMENT.format(new Date(at))} UTC`

export default function Testing() {
  const { search, outbox, clock } = useLoaderData<typeof loader>()
  const link = useSearchLink()
  return (
    <Page
      title="Testing"
      lead="Every mail and text that left this tenant. No message leaves this machine."
      action={<ButtonLink to={link({ phone: '' })}>Answer as a phone</ButtonLink>}
    >
      <TestingClockSection clock={clock} />
      <h2>Messages</h2>
      <FilterBar q={search.q} placeholder="Search by recipient or words" />
      {outbox.data.length > 0 ? (
        <DataTable caption="Messages that were sent" columns={COLUMNS} rows={outbox.data} rowKey="id" />
      ) : (
        <NoRows
          pagination={outbox.pagination}
          title="No messages"
          hint="Launch a journey or invite someone: what they get appears here."
        />
      )}
      <Pager pagination={outbox.pagination} />
      {search.phone === null ? null : (
        <AnswerAsPhone key={search.phone} phone={search.phone} closeHref={link({ phone: null })} />
      )}
    </Page>
  )
}

function Recipient({ channel, recipient }: OutboxMessage) {
  const link = useSearchLink()
  return (
    <>
      {recipient}
      {channel === 'sms' ? (
        <>
          {' '}
          <Link to={link({ phone: recipient })} preventScrollReset>
            Answer<span className="hidden-words"> as {recipient}</span>
          </Link>
        </>
      ) : null}
    </>
  )
}

const ADDRESS = /(https?:\/\/[^\s"<>]+)/

/** The text as it was sent; its links can be followed. They are never fetched ahead. */
function Body({ subject, body }: OutboxMessage) {
  return (
    <>
      {subject ? (
        <>
          <strong>{subject}</strong>
          <br />
        </>
      ) : null}
      {body.split('\n').map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that never changes
        <span key={index}>
          {index > 0 ? <br /> : null}
          {line.split(ADDRESS).map((part) =>
            ADDRESS.test(part) ? (
              <a key={part} href={part}>
                {part}
              </a>
            ) : (
              part
            ),
          )}
        </span>
      ))}
    </>
  )
}
