import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { getOverview, listByLift, listByUser } from '#app/api/contract/analytics.ts'
import { listJourneyChoices } from '#app/api/contract/journeys.ts'
import { getLearnerResponses, listLiftResponses } from '#app/api/contract/responses.ts'

import { AnalyticsSearch } from '#app/domain/analytics/figures.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Day } from '#app/ui/day.tsx'
import { NoRows } from '#app/ui/no-rows.tsx'
import { Page } from '#app/ui/page.tsx'
import { Pager } from '#app/ui/pager.tsx'
import { DataTable } from '#app/ui/table.tsx'
import stylesheet from './analytics.css?url'
import { Answers } from './answers.tsx'
import { LearnerReport } from './learner-report.tsx'
import { Filters, liftColumns, Tabs, userColumns } from './parts.tsx'
import { PromptReport } from './prompt-report.tsx'
import { Tiles } from './tiles.tsx'

export const meta: MetaFunction = () => [{ title: 'Analytics · Liftwell' }]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const search = AnalyticsSearch.parse(Object.fromEntries(new URL(args.request.url).searchParams))
  const { type, page, q, ...filters } = search
  const as_of = new Date().toISOString()
  const [overview, report, choices] = await Promise.all([
    api(getOverview, { ...filters, as_of }),
    readReport(api, search, as_of),
    api(listJourneyChoices),
  ])
  return { search, overview, choices, ...report }
}

/** One moment for all figures of a page: what comes in meanwhile is in none of them. */
async function readReport(api: ApiClient, search: AnalyticsSearch, as_of: string) {
  const { type, page, q, journey, user, prompt_id, ...others } = search
  const filters = { ...others, journey, user, prompt_id, as_of }
  if (type === 'by_user' && journey && user)
    return {
      learner: await api(
        getLearnerResponses,
        { id: journey, userId: user },
        {
          q,
          page,
        },
      ),
    }
  if (type === 'by_user') return { byUser: await api(listByUser, { ...filters, page }) }
  const lift = type === 'by_lift' ? (search.lift ?? search.lift_id) : undefined
  const [byLift, answers] = await Promise.all([
    // The questions are reported whole; which of them is read is another matter.
    api(listByLift, {
      ...filters,
      page: lift ? 1 : page,
      ...(lift ? { prompt_id: undefined } : {}),
    }),
    lift ? api(listLiftResponses, { id: lift }, { prompt_id, q, page }) : undefined,
  ])
  return { byLift, answers }
}

const unknownHref = ({ journey, lift, lift_id }: AnalyticsSearch): string => {
  const wanted = { journey, lift: lift ?? lift_id }
  const given = Object.entries(wanted).flatMap(([name, id]) => (id === undefined ? [] : [[name, String(id)]]))
  return `/messages/unconfirmed?${new URLSearchParams(given)}`
}

export default function Analytics() {
  const { search, overview, choices, byUser, byLift, answers, learner } = useLoaderData<typeof loader>()
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
          columns={userColumns(search)}
          rows={byUser.data}
          rowKey="user_id"
        />
      ) : null}
      {byLift && byLift.data.length > 0 ? (
        <DataTable
          caption="Figures by lift"
          columns={liftColumns(search)}
          rows={byLift.data}
          rowKey="lift_id"
        />
      ) : null}
      {list && list.data.length === 0 ? (
        <NoRows
          pagination={list.pagination}
          title="Nothing was due yet"
          hint="Figures appear with the first lift that is sent."
        />
      ) : null}
      {list && !answers ? <Pager pagination={list.pagination} /> : null}
      {learner ? <LearnerReport learner={learner} q={search.q} /> : null}
      {byLift?.prompts.map((prompt) => (
        <PromptReport key={prompt.prompt_id} prompt={prompt} />
      ))}
      {answers ? <Answers answers={answers} search={search} prompts={byLift?.prompts ?? []} /> : null}
    </Page>
  )
}
