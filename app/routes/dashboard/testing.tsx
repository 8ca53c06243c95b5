import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { type OutboxMessage, OutboxPage, OutboxSearch } from '#app/domain/outbox/outbox.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Badge } from '#app/ui/badge.tsx'
import { FilterBar } from '#app/ui/filter-bar.tsx'
import { NoRows } from '#app/ui/no-rows.tsx'
import { Page } from '#app/ui/page.tsx'
import { Pager } from '#app/ui/pager.tsx'
import { type Column, DataTable } from '#app/ui/table.tsx'

export const meta: MetaFunction = () => [{ title: 'Testing · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const search = OutboxSearch.parse(Object.fromEntries(new URL(args.request.url).searchParams))
  return { search, outbox: await api.get('/testing/outbox', OutboxPage, search) }
}

const COLUMNS: readonly Column<OutboxMessage>[] = [
  { key: 'recipient', label: 'To' },
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

const MOMENT = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const moment = (at: string) => `${MOMENT.format(new Date(at))} UTC`

export default function Testing() {
  const { search, outbox } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Testing"
      lead="Every mail and text that left this tenant. Nothing of it leaves the building."
    >
      <FilterBar q={search.q} placeholder="Search by recipient or words" />
      {outbox.data.length > 0 ? (
        <DataTable caption="Messages that were sent" columns={COLUMNS} rows={outbox.data} rowKey="id" />
      ) : (
        <NoRows
          pagination={outbox.pagination}
          title="No messages"
          hint="Launch a journey or invite somebody: what they get stands here."
        />
      )}
      <Pager pagination={outbox.pagination} />
    </Page>
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
