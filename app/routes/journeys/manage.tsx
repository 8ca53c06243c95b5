import { parseWithZod } from '@conform-to/zod/v4'
import {
  type ActionFunctionArgs,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { refuse } from '#app/api/refuse.server.ts'
import {
  JOURNEY_ORDERS,
  Journey,
  JourneyChoices,
  JourneyRow,
  JourneySearch,
} from '#app/domain/journeys/journey.ts'
import { JourneyForm, NewJourneyForm } from '#app/domain/journeys/journey-form.ts'
import { pageOf, parseOrder } from '#app/domain/page.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ConfirmDialog, Modal } from '#app/ui/dialog.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { FilterBar } from '#app/ui/filter-bar.tsx'
import { Page } from '#app/ui/page.tsx'
import { Pager } from '#app/ui/pager.tsx'
import { useRefused } from '#app/ui/refused.ts'
import { useSearchLink } from '#app/ui/search.ts'
import { DataTable } from '#app/ui/table.tsx'
import { JourneyFields } from './journey-fields.tsx'
import stylesheet from './journeys.css?url'
import { columnsOf, filterChips } from './manage-parts.tsx'
import { NewJourney } from './new-journey.tsx'

export const meta: MetaFunction = () => [{ title: 'Manage LLJs · Liftwell' }]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
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
  const asked = search.edit ?? search.delete
  return {
    journeys,
    choices,
    timezones,
    search,
    journey: asked ? await api.get(`/lljs/${asked}`, Journey) : null,
  }
}

/** A repeated parameter is a list; the parameter of a question stands beside those of the screen. */
function readSearch(params: URLSearchParams) {
  const lists = Object.fromEntries(
    ['category', 'author', 'status'].map((name) => [name, params.getAll(name)]),
  )
  const asked = z.coerce.number().int().positive().safeParse(params.get('delete')).data
  return { ...JourneySearch.parse({ ...Object.fromEntries(params), ...lists }), delete: asked }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const formData = await args.request.formData()
  const search = readSearch(new URL(args.request.url).searchParams)
  if (formData.get('intent') === 'delete') return remove(api, search.delete)
  return search.edit ? save(api, formData, search.edit) : create(api, formData)
}

async function create(api: ApiClient, formData: FormData) {
  const submission = parseWithZod(formData, { schema: NewJourneyForm })
  if (submission.status !== 'success') return refuse(submission)
  try {
    const { id } = await api.post('/lljs', submission.value, Journey)
    return redirect(`/lljs/${id}/schedule`)
  } catch (error) {
    return refuse(submission, error)
  }
}

async function save(api: ApiClient, formData: FormData, id: number) {
  const submission = parseWithZod(formData, { schema: JourneyForm })
  if (submission.status !== 'success') return refuse(submission)
  try {
    const { name } = await api.put(`/lljs/${id}`, submission.value, Journey)
    return redirectWithToast('/lljs/manage', { title: 'Journey saved', message: name })
  } catch (error) {
    return refuse(submission, error)
  }
}

async function remove(api: ApiClient, id: number | undefined) {
  await api.delete(`/lljs/${id}`)
  return redirectWithToast('/lljs/manage', { title: 'Draft deleted' })
}

export default function ManageJourneys() {
  const { journeys, choices, search } = useLoaderData<typeof loader>()
  const link = useSearchLink()
  const create = choices.may_create ? (
    <ButtonLink to={link({ create: 'true' })}>Create new LLJ</ButtonLink>
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
          columns={columnsOf(link)}
          rows={journeys.data}
          order={search.order}
          rowKey="id"
        />
      ) : (
        <Empty
          title="No results"
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
  const { choices, search, journey, timezones } = useLoaderData<typeof loader>()
  const { lastResult, current } = useRefused()
  const closeHref = useSearchLink()({ create: null, edit: null, delete: null })
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
