import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { AnalyticsSearch, ByLift, ByUser, Overview } from '#app/domain/analytics/figures.ts'
import { JourneyChoices } from '#app/domain/journeys/journey.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Day } from '#app/ui/day.tsx'
import { NoRows } from '#app/ui/no-rows.tsx'
import { Page } from '#app/ui/page.tsx'
import { Pager } from '#app/ui/pager.tsx'
import { DataTable } from '#app/ui/table.tsx'
import stylesheet from './analytics.css?url'
import { Filters, LIFT_COLUMNS, Tabs, userColumns } from './parts.tsx'
import { PromptReport } from './prompt-report.tsx'
import { Tiles } from './tiles.tsx'

export const meta: MetaFunction = () => [{ title: 'Analytics · Liftwell' }]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const search = AnalyticsSearch.parse(Object.fromEntries(new URL(args.request.url).searchParams))
  const { type, page, ...filters } = search
  const as_of = new Date().toISOString()
  const [overview, report, choices] = await Promise.all([
    api.get('/analytics/overview', Overview, { ...filters, as_of }),
    readReport(api, search, as_of),
    api.get('/lljs/data', JourneyChoices),
  ])
  return { search, overview, choices, ...report }
}

/** One moment for all figures of a page: what comes in meanwhile is in none of them. */
async function readReport(api: ApiClient, { type, page, ...filters }: AnalyticsSearch, as_of: string) {
  const query = { ...filters, as_of, page }
  return {
    byUser: type === 'by_user' ? await api.get('/analytics/by_user', ByUser, query) : null,
    byLift: type === 'by_user' ? null : await api.get('/analytics/by_lift', ByLift, query),
  }
}

const unknownHref = ({ journey, lift, lift_id }: AnalyticsSearch): string => {
  const wanted = { journey, lift: lift ?? lift_id }
  const given = Object.entries(wanted).flatMap(([name, id]) => (id === undefined ? [] : [[name, String(id)]]))
  return `/messages/unconfirmed?${new URLSearchParams(given)}`
}

export default function Analytics() {
  const { search, overview, choices, byUser, byLift } = useLoaderData<typeof loader>()
  const list = byUser ?? byLift
  return (
    <Page
      title="Analytics"
      lead={
        <>
          What was due until now, <Day at={overview.as_of} />. Every rate shows how many of how many.
        </>
      }
    >
      <Tabs type={search.type} />
      <Filters search={search} journeys={choices.data} />
      {search.type === 'overview' || search.journey || search.lift || search.user ? (
        <Tiles overview={overview} unknownHref={unknownHref(search)} />
      ) : null}
      {byUser && byUser.data.length > 0 ? (
        <DataTable
          caption="Figures by learner"
          columns={userColumns(search.user)}
          rows={byUser.data}
          rowKey="user_id"
        />
      ) : null}
      {byLift && byLift.data.length > 0 ? (
        <DataTable caption="Figures by lift" columns={LIFT_COLUMNS} rows={byLift.data} rowKey="lift_id" />
      ) : null}
      {list && list.data.length === 0 ? (
        <NoRows
          pagination={list.pagination}
          title="Nothing was due yet"
          hint="Figures appear with the first lift that is sent."
        />
      ) : null}
      {list ? <Pager pagination={list.pagination} /> : null}
      {byLift?.prompts.map((prompt) => (
        <PromptReport key={prompt.prompt_id} prompt={prompt} />
      ))}
    </Page>
  )
}
