import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listOutbox } from '#app/api/contract/testing.ts'
import { type OutboxMessage, OutboxSearch } from '#app/domain/outbox/outbox.ts'
import { formatDate } from '#app/domain/text/date-format.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { Badge } from '#app/ui/badge.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { PagedTable } from '#app/ui/list/paged-table.tsx'
import type { Column } from '#app/ui/list/table.tsx'
import { Page } from '#app/ui/page.tsx'
import { MessageWords } from './message-words.tsx'
import stylesheet from './testing.css?url'

export const meta: MetaFunction = () => [{ title: 'Messages · Testing · Liftwell' }]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const search = OutboxSearch.parse(searchOf(args.request))
  return { search, outbox: await api(listOutbox, search) }
}

const COLUMNS: readonly Column<OutboxMessage>[] = [
  { key: 'recipient', label: 'To', render: ({ recipient }) => recipient },
  {
    key: 'channel',
    label: 'As',
    render: ({ channel }) => (
      <Badge tone={channel === 'sms' ? 'accent' : 'neutral'}>{channel === 'sms' ? 'Text' : 'E-mail'}</Badge>
    ),
  },
  {
    key: 'body',
    label: 'Message',
    render: ({ subject, body }) => (
      <div className="outbox-words">
        {subject ? (
          <>
            <strong>{subject}</strong>
            <br />
          </>
        ) : null}
        <MessageWords words={body} />
      </div>
    ),
  },
  {
    key: 'created_on',
    label: 'Sent',
    render: ({ created_on }) => <time dateTime={created_on}>{moment(created_on)}</time>,
  },
]

const moment = (at: string) =>
  `${formatDate(new Date(at), { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`

export default function TestingMessages() {
  const { search, outbox } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Messages"
      lead="Every mail and text that left this tenant, the latest first."
      action={
        <ButtonLink to="/testing" variant="soft" color="gray">
          Back to Testing
        </ButtonLink>
      }
    >
      <FilterBar q={search.q} placeholder="Search by recipient or words" />
      <PagedTable
        caption="Messages that were sent"
        columns={COLUMNS}
        list={outbox}
        empty={{
          title: 'No messages',
          hint: 'Launch a journey or invite someone: what they get appears here.',
        }}
      />
    </Page>
  )
}
