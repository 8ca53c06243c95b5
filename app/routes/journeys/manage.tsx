import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { encodePath } from '#app/api/path.ts'
import { may } from '#app/domain/access/permissions.ts'
import {
  JOURNEY_ORDERS,
  Journey,
  JourneyChoices,
  JourneyRow,
  JourneySearch,
} from '#app/domain/journeys/journey.ts'
import { pageOf, parseOrder } from '#app/domain/page.ts'
import { User } from '#app/domain/users/user.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ConfirmDialog, Modal } from '#app/ui/dialog.tsx'
import { FilterBar } from '#app/ui/filter-bar.tsx'
import { listAddress } from '#app/ui/list-place.ts'
import { NoRows } from '#app/ui/no-rows.tsx'
import { Page } from '#app/ui/page.tsx'
import { Pager } from '#app/ui/pager.tsx'
import { useRefused } from '#app/ui/refused.ts'
import { useSearchLink } from '#app/ui/search.ts'
import { DataTable } from '#app/ui/table.tsx'
import { ChangeAuthor, type Writers } from './change-author.tsx'
import { JourneyFields } from './journey-fields.tsx'
import stylesheet from './journeys.css?url'
import { manage } from './manage-actions.server.ts'
import { DuplicateJourney, type ImportAnswer, ImportJourney } from './manage-dialogs.tsx'
import { columnsOf, filterChips } from './manage-parts.tsx'
import { NewJourney } from './new-journey.tsx'

export const meta: MetaFunction = () => [{ title: 'Manage LLJs · Liftwell' }]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const { api, actor } = await requireDashboard(args)
  const mayChangeAuthor = may(actor, 'journeys:edit_author')
  const search = readSearch(new URL(args.request.url).searchParams)
  const { page, order, name, category, author, status } = search
  const [journeys, choices, timezones] = await Promise.all([
    api.get('/lljs', pageOf(JourneyRow), {
      ...{ page, name, category, author, status },
      ...parseOrder(order, JOURNEY_ORDERS),
    }),
    api.get('/lljs/data', JourneyChoices),
    search.edit ? api.get('/tenants/timezones', z.array(z.string())) : [],
  ])
  const asked = search.edit ?? search.delete ?? search.duplicate ?? search.archive ?? search.author_of
  return {
    journeys,
    choices,
    timezones,
    search,
    writers: search.author_of && mayChangeAuthor ? await readWriters(api, search.writer) : null,
    mayChangeAuthor,
    journey: asked ? await api.get(encodePath`/lljs/${asked}`, Journey) : null,
  }
}

const id = z.coerce.number().int().positive().optional().catch(undefined)
const Question = z.object({
  delete: id,
  duplicate: id,
  archive: id,
  author_of: id,
  /** Whom to look for as an author. */
  writer: z.string().trim().max(200).catch(''),
  import: z.stringbool().catch(false),
})
const readQuestion = (params: URLSearchParams) => Question.parse(Object.fromEntries(params))

/** Who may become an author of a journey: those who match, of whom a list shows some. */
async function readWriters(api: ApiClient, q: string): Promise<Writers> {
  const { data, pagination } = await api.get('/users', pageOf(User), {
    ...{ role: ['admin', 'author'], q },
    per_page: 100,
    order_by: 'name',
    order: 'asc',
  })
  const people = data.filter(({ activation_status }) => activation_status !== 'disabled')
  return {
    people: people.map(({ id, name, email }) => ({ id, name: name || email })),
    q,
    hasMore: pagination.total_pages > 1,
  }
}

/** A repeated parameter is a list; the parameter of a question stands beside those of the screen. */
function readSearch(params: URLSearchParams) {
  const lists = Object.fromEntries(
    ['category', 'author', 'status'].map((name) => [name, params.getAll(name)]),
  )
  return { ...JourneySearch.parse({ ...Object.fromEntries(params), ...lists }), ...readQuestion(params) }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const formData = await args.request.formData()
  const { searchParams } = new URL(args.request.url)
  const back = listAddress('/lljs/manage', searchParams)
  return manage(api, formData, readSearch(searchParams), back)
}

export default function ManageJourneys() {
  const { journeys, choices, search, mayChangeAuthor } = useLoaderData<typeof loader>()
  const link = useSearchLink()
  const create = choices.may_create ? (
    <span className="row-actions">
      <ButtonLink to={link({ import: 'true' })} variant="soft">
        Import
      </ButtonLink>
      <ButtonLink to={link({ create: 'true' })}>Create new LLJ</ButtonLink>
    </span>
  ) : null
  return (
    <Page
      title="Manage LLJs"
      lead="Learning journeys: short lifts that reach learners over days and weeks."
      action={create}
    >
      <FilterBar name="name" q={search.name} placeholder="Search by name" chips={filterChips(choices)} />
      {journeys.data.length > 0 ? (
        <DataTable
          caption="Journeys"
          columns={columnsOf(link, { mayCreate: choices.may_create, mayChangeAuthor })}
          rows={journeys.data}
          order={search.order}
          rowKey="id"
        />
      ) : (
        <NoRows
          pagination={journeys.pagination}
          hint="No journey matches. A journey begins with a name and a category."
          action={create}
        />
      )}
      <Pager pagination={journeys.pagination} />
      <Dialogs />
    </Page>
  )
}

function Dialogs() {
  const { choices, search, journey, timezones, writers } = useLoaderData<typeof loader>()
  const { lastResult, current } = useRefused()
  const answered = useActionData<ImportAnswer>()
  const closeHref = useSearchLink()({
    create: null,
    edit: null,
    delete: null,
    duplicate: null,
    archive: null,
    author_of: null,
    writer: null,
    import: null,
  })
  const dialog = { closeHref, lastResult }
  if (search.edit && journey)
    return (
      <Modal title={`Edit ${journey.name}`} closeHref={closeHref}>
        <JourneyFields
          journey={journey}
          categories={choices.categories}
          timezones={timezones}
          lastResult={lastResult}
          current={current}
        />
      </Modal>
    )
  if (search.import && choices.may_create) return <ImportJourney answered={answered} closeHref={closeHref} />
  if (search.duplicate && journey && choices.may_create)
    return <DuplicateJourney journey={journey} {...dialog} />
  if (writers && journey)
    return <ChangeAuthor journey={journey} writers={writers} {...dialog} current={current} />
  if (search.archive && journey)
    return (
      <ConfirmDialog
        title={`Archive ${journey.name}?`}
        message="It stays readable, with its figures. Nothing is sent any more, and nothing can be changed."
        continueText="Yes, archive"
        cancelHref={closeHref}
        variant="warning"
        fields={{ intent: 'archive' }}
      />
    )
  if (search.delete && journey)
    return (
      <ConfirmDialog
        title={`Delete ${journey.name}?`}
        message="The draft, its lifts and its list of learners are gone for good. Nothing was sent yet."
        continueText="Yes, delete"
        cancelHref={closeHref}
        variant="error"
        fields={{ intent: 'delete' }}
      />
    )
  if (!search.create) return null
  if (choices.may_create)
    return <NewJourney categories={choices.categories} closeHref={closeHref} lastResult={lastResult} />
  return (
    <Modal title="Create new LLJ" closeHref={closeHref} size="small">
      <p>You do not have permission to create journeys. Ask an administrator of your company.</p>
    </Modal>
  )
}
