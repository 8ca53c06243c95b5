import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { isNarrowed } from '#app/domain/analytics/filter-names.ts'
import { AnalyticsSearch } from '#app/domain/analytics/query.ts'
import { isRunning } from '#app/domain/journeys/journey-status.ts'
import { dayInWords } from '#app/domain/text/date-format.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Empty } from '#app/ui/empty.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { NoRows } from '#app/ui/list/no-rows.tsx'
import { Pager } from '#app/ui/list/pager.tsx'
import { DataTable } from '#app/ui/list/table.tsx'
import { Page } from '#app/ui/page.tsx'
import stylesheet from './analytics.css?url'
import { Answers } from './answers.tsx'
import { FailuresChart } from './charts/failures.tsx'
import { Funnel } from './charts/funnel.tsx'
import { HeatMap } from './charts/heat-map.tsx'
import { TimingChart } from './charts/timing.tsx'
import { TrendChart } from './charts/trend.tsx'
import { liftColumns, userColumns } from './columns.tsx'
import { ExportForm } from './export-form.tsx'
import { exportedOf } from './exported.server.ts'
import { Filters } from './filters.tsx'
import { LearnerReport } from './learner-report.tsx'
import { OnlyAssessed } from './only-assessed.tsx'
import { PromptReport } from './prompt-report.tsx'
import { readReport } from './read-report.server.ts'
import { Tabs } from './tabs.tsx'
import { Tiles } from './tiles.tsx'
import { Until } from './until.tsx'

export const meta: MetaFunction = () => [{ title: 'Analytics · Liftwell' }]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const search = AnalyticsSearch.parse(Object.fromEntries(new URL(args.request.url).searchParams))
  const report = await readReport(api, search)
  return { search, ...report, exported: exportedOf({ search, ...report }) }
}

type Shown = ReturnType<typeof useLoaderData<typeof loader>>

export default function Analytics() {
  const shown = useLoaderData<typeof loader>()
  const { search, overview, choices } = shown
  return (
    <Page
      title="Analytics"
      lead={
        <>
          Everything due until <Until chosen={search.as_of} today={choices.today} at={overview.as_of} />. Each
          rate shows its counts.
        </>
      }
    >
      <Tabs type={search.type} />
      <Filters {...{ search, choices }} />
      <OnlyAssessed overview={overview} journey={search.journey} />
      {overview.counts.assigned > 0 ? (
        <Tiles overview={overview} asked={search} unknownHref={unknownHref(search)} />
      ) : (
        <Empty title="Nothing to count" hint={overview.why_empty} />
      )}
      <Pictures {...shown} />
      <Tables {...shown} />
      {shown.learner ? (
        <LearnerReport learner={shown.learner} q={search.q} isNarrowed={isNarrowed(search)} />
      ) : null}
      {search.lift
        ? shown.byLift?.prompts.map((prompt) => <PromptReport key={prompt.prompt_id} prompt={prompt} />)
        : null}
      {shown.answers ? (
        <Answers
          {...{ answers: shown.answers, search, prompts: shown.byLift?.prompts ?? [] }}
          mayRemind={choices.journeys.some(({ id, status }) => id === search.journey && isRunning(status))}
        />
      ) : null}
      {overview.is_contradictory ? null : <ExportForm exported={shown.exported} journey={search.journey} />}
    </Page>
  )
}

function Pictures({ search, overview, trend, timing, failures, grid, drawn_since }: Shown) {
  if (overview.counts.assigned === 0) return null
  const isOfOneLift = search.type === 'by_lift' && search.lift
  return (
    <div className="charts">
      {drawn_since && !search.from ? (
        <p className="report-quiet">The charts show what was due since {dayInWords(drawn_since)}.</p>
      ) : null}
      {trend ? <TrendChart trend={trend} /> : null}
      {timing ? <TimingChart timing={timing} /> : null}
      {search.type === 'overview' && !timing ? (
        <p className="report-quiet">
          With this many messages, the chart of answer times is available only for today and for whole lifts.
        </p>
      ) : null}
      {search.type === 'overview' || isOfOneLift ? <Funnel figures={overview} /> : null}
      {failures ? <FailuresChart failures={failures} /> : null}
      {grid && search.journey ? <HeatMap grid={grid} journey={search.journey} /> : null}
    </div>
  )
}

function Tables({ search, overview, byUser, byLift, answers }: Shown) {
  const list = byUser ?? byLift
  const isEmpty = overview.counts.assigned === 0
  return (
    <>
      {byUser && !isEmpty ? <FilterBar q={search.q} placeholder="Search learners" /> : null}
      {byUser && byUser.data.length > 0 ? (
        <DataTable
          caption="Figures by learner"
          columns={userColumns(search)}
          rows={byUser.data}
          order={search.order}
          rowKey="user_id"
        />
      ) : null}
      {byLift && byLift.data.length > 0 && !answers ? (
        <DataTable
          caption="Figures by lift"
          columns={liftColumns(search)}
          rows={byLift.data}
          order={search.order}
          rowKey="lift_id"
        />
      ) : null}
      {list && list.data.length === 0 && !isEmpty ? (
        <NoRows pagination={list.pagination} title="No results" hint="No learner has this name." />
      ) : null}
      {list && !answers && !isEmpty ? <Pager pagination={list.pagination} /> : null}
    </>
  )
}

const unknownHref = ({ journey, lift, lift_id }: AnalyticsSearch): string => {
  const wanted = { journey, lift: lift ?? lift_id }
  const given = Object.entries(wanted).flatMap(([name, id]) => (id === undefined ? [] : [[name, String(id)]]))
  return `/messages/unconfirmed?${new URLSearchParams(given)}`
}
