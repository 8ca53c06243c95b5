import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { redirect } from '@remix-run/node'
import { Outlet, useLoaderData } from '@remix-run/react'
import { listJourneyChoices, listJourneys } from '#app/api/contract/journeys.ts'
import { may } from '#app/domain/access/permissions.ts'
import { JOURNEY_ORDERS, JourneySearch } from '#app/domain/journeys/journey.ts'
import { parseOrder } from '#app/domain/page.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { PagedTable } from '#app/ui/list/paged-table.tsx'
import { Page } from '#app/ui/page.tsx'
import { movedAddress, useListAddress } from './address.ts'
import { columnsOf, filterChips } from './list-parts.tsx'

export const meta: MetaFunction = () => [{ title: 'Manage LLJs · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api, actor } = await requireDashboard(args)
  const { searchParams } = new URL(args.request.url)
  const moved = movedAddress(searchParams)
  if (moved) throw redirect(moved)
  const search = readSearch(searchParams)
  const { page, order, name, category, author, status } = search
  const [journeys, choices] = await Promise.all([
    api(listJourneys, {
      ...{ page, name, category, author, status },
      ...parseOrder(order, JOURNEY_ORDERS),
    }),
    api(listJourneyChoices),
  ])
  return { journeys, choices, search, mayChangeAuthor: may(actor, 'journeys:edit_author') }
}

/** A repeated parameter is a list. */
function readSearch(params: URLSearchParams) {
  const lists = Object.fromEntries(
    ['category', 'author', 'status'].map((name) => [name, params.getAll(name)]),
  )
  return JourneySearch.parse({ ...Object.fromEntries(params), ...lists })
}

/** Forwards a form that was rendered at an old URL, with its input. */
export async function action(args: ActionFunctionArgs) {
  await requireDashboard(args)
  const moved = movedAddress(new URL(args.request.url).searchParams)
  if (!moved) throw new Response('Method Not Allowed', { status: 405 })
  return redirect(moved, 307)
}

function emptyWords({ name, category, author, status }: JourneySearch, mayCreate: boolean) {
  if (name || category.length + author.length + status.length > 0)
    return { hint: `No journey matches. Change the filters${mayCreate ? ', or create a journey' : ''}.` }
  return { title: 'No journeys yet', hint: 'A journey appears here once somebody has created it.' }
}

export default function ManageJourneys() {
  const { journeys, choices, search, mayChangeAuthor } = useLoaderData<typeof loader>()
  const { to } = useListAddress()
  const create = choices.may_create ? (
    <span className="row-actions">
      <ButtonLink to={to('import')} variant="soft">
        Import
      </ButtonLink>
      <ButtonLink to={to('new')}>Create New LLJ</ButtonLink>
    </span>
  ) : null
  return (
    <Page
      title="Manage LLJs"
      lead="LLJs are learning journeys: short lifts that reach learners over days and weeks."
      action={create}
    >
      <FilterBar
        name="name"
        q={search.name}
        placeholder="Search by name"
        chips={filterChips(choices)}
        others={['category', 'author']}
      />
      <PagedTable
        caption="Journeys"
        columns={columnsOf(to, { mayCreate: choices.may_create, mayChangeAuthor })}
        list={journeys}
        order={search.order}
        empty={{ ...emptyWords(search, choices.may_create), action: create }}
      />
      <Outlet />
    </Page>
  )
}
