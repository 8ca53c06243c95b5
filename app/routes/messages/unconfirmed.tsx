import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { mayManageJourneys } from '#app/domain/access/journeys.ts'
import { may } from '#app/domain/access/permissions.ts'
import { noPermission, requireDashboard } from '#app/routes/guards.server.ts'
import { Link } from '#app/ui/link.tsx'
import { PagedTable } from '#app/ui/list/paged-table.tsx'
import { Page } from '#app/ui/page.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { DecisionQuestion, questionOf } from './decision-question.tsx'
import stylesheet from './messages.css?url'
import { messageColumns } from './parts.tsx'
import { decide, readUnconfirmed } from './unconfirmed.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? titleOf(data) : 'Unconfirmed messages'} · Liftwell` },
]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

async function requireManager(args: Pick<LoaderFunctionArgs, 'request' | 'context'>) {
  const visitor = await requireDashboard(args)
  if (!mayManageJourneys(visitor.actor))
    throw noPermission('These messages are for people who manage journeys.')
  return visitor
}

type Shown = Pick<Awaited<ReturnType<typeof readUnconfirmed>>, 'search' | 'prospect'>

const titleOf = ({ search: { ask }, prospect }: Shown): string =>
  ask && prospect ? questionOf(ask, prospect).title : 'Unconfirmed messages'

export async function loader(args: LoaderFunctionArgs) {
  const { api, actor } = await requireManager(args)
  return { ...(await readUnconfirmed(api, args.request.url)), linksPeople: may(actor, 'users:edit') }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireManager(args)
  return decide(api, args.request)
}

export default function UnconfirmedMessages() {
  const { list, search, prospect, until, back, linksPeople } = useLoaderData<typeof loader>()
  const { ask, message_ids, all } = search
  const isFiltered = search.journey !== undefined || search.lift !== undefined
  return (
    <Page
      title="Unconfirmed messages"
      lead="No carrier could tell whether these messages arrived. If you send one again, a person who did get it gets it twice."
    >
      {isFiltered ? (
        <p className="messages-filter">
          Only those {search.lift ? 'of one lift' : 'of one journey'}. <Link to="?">Show all</Link>
        </p>
      ) : null}
      <PagedTable
        key={message_ids.join()}
        caption="Unconfirmed messages"
        columns={messageColumns(message_ids, linksPeople)}
        list={list}
        empty={{
          title: 'Every message is accounted for',
          hint: 'A message is listed here when its carrier gave no answer and cannot tell afterwards whether it arrived.',
        }}
      >
        <DecisionBar total={list.pagination.total} shown={list.data.length} all={all} />
      </PagedTable>
      {ask && prospect ? (
        <DecisionQuestion
          decision={ask}
          prospect={prospect}
          fields={all ? { all: 'true', until } : { message_ids }}
          cancelHref={back}
        />
      ) : null}
    </Page>
  )
}
