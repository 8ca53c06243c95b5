/** A one-page report about a journey, to print and pass on: results, trend and changes. */
import { type LinksFunction, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import * as calls from '#app/api/contract/analytics.ts'
import { listAssessmentFigures } from '#app/api/contract/assessment-figures.ts'
import { getJourney } from '#app/api/contract/journeys.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Day } from '#app/ui/day.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Link } from '#app/ui/link.tsx'
import { Page } from '#app/ui/page.tsx'
import stylesheet from './analytics.css?url'
import boardStylesheet from './board.css?url'
import { BoardFigures, BoardLifts, BoardObjectives, Headline } from './board.tsx'
import { Funnel } from './charts/funnel.tsx'
import { TimingChart } from './charts/timing.tsx'
import { TrendChart } from './charts/trend.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `${isolated(data.journey.name)} · ` : ''}Report · Liftwell` },
]
export const links: LinksFunction = () => [
  { rel: 'stylesheet', href: stylesheet },
  { rel: 'stylesheet', href: boardStylesheet },
]

const Search = z.object({ journey: z.string().regex(/^[1-9]\d{0,14}$/) })
/** The number of lifts and objectives that fit on one page. */
const LIFTS = 12
const OBJECTIVES = 5

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const search = Search.safeParse(Object.fromEntries(new URL(args.request.url).searchParams))
  if (!search.success) throw redirect('/analytics')
  const id = search.data.journey
  const journey = await api(getJourney, { id })
  const overview = await api(calls.getOverview, { journey: Number(id) })
  const asked = { journey: Number(id), as_of: overview.as_of }
  const [trend, timing, byLift, objectives] = await Promise.all([
    api(calls.getTrend, asked),
    api(calls.getTiming, asked),
    api(calls.listByLift, { ...asked, per_page: LIFTS }),
    api(listAssessmentFigures, { ...asked, per_page: OBJECTIVES }),
  ])
  return { journey, overview, trend, timing, byLift, objectives }
}

export default function Report() {
  const { journey, overview, trend, timing, byLift, objectives } = useLoaderData<typeof loader>()
  const { name, launched_at, author } = journey
  return (
    <div className="board">
      <Page
        title={name}
        lead={
          <>
            {launched_at ? (
              <>
                Launched <Day at={launched_at} />.{' '}
              </>
            ) : null}
            {author ? `Author: ${isolated(author.name)}. ` : null}Figures as of{' '}
            <Day at={overview.as_of} timed />.
          </>
        }
        action={<p className="report-quiet">Print this page with your browser: it is made for one sheet.</p>}
      >
        {overview.counts.assigned > 0 ? (
          <>
            <Headline overview={overview} />
            <BoardFigures overview={overview} />
            <div className="charts board-charts">
              <TrendChart trend={trend} />
              <TimingChart timing={timing} />
              <Funnel figures={overview} />
            </div>
            <BoardLifts byLift={byLift} />
            <BoardObjectives objectives={objectives} />
          </>
        ) : (
          <Empty title="Nothing to report" hint={overview.why_empty} />
        )}
        <p className="board-back">
          <Link to={`/analytics?journey=${journey.id}`}>Back to analytics</Link>
        </p>
      </Page>
    </div>
  )
}
