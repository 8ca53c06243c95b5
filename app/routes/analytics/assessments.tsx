/** Changes measured by assessments, and how long answers take. */

import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listFilterChoices } from '#app/api/contract/analytics.ts'
import { getTimeToAnswer, listAssessmentFigures } from '#app/api/contract/assessment-figures.ts'
import {
  AssessmentFiguresSearch,
  type ObjectiveFigures,
} from '#app/domain/analytics/assessed/assessment-figures.ts'
import { saidOfChange, saidOfGap, saidOfTime } from '#app/domain/analytics/assessed/assessment-words.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { tenantNow } from '#app/routes/tenant-clock.server.ts'
import { Button } from '#app/ui/button.tsx'
import { Day } from '#app/ui/day.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Link } from '#app/ui/link.tsx'
import { NoRows } from '#app/ui/list/no-rows.tsx'
import { Pager } from '#app/ui/list/pager.tsx'
import { type Column, DataTable } from '#app/ui/list/table.tsx'
import { Page } from '#app/ui/page.tsx'
import stylesheet from './analytics.css?url'
import { changeColumns } from './change-columns.ts'
import { ObjectivesChart } from './charts/objectives.tsx'
import { ExportForm } from './export-form.tsx'
import { Tabs } from './tabs.tsx'

export const meta: MetaFunction = () => [{ title: 'Before and after · Analytics · Liftwell' }]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { api } = visitor
  const search = AssessmentFiguresSearch.parse(Object.fromEntries(new URL(args.request.url).searchParams))
  const as_of = (await tenantNow(args, visitor)).toISOString()
  const [figures, time, choices] = await Promise.all([
    api(listAssessmentFigures, { ...search, as_of }),
    api(getTimeToAnswer, { journey: search.journey, as_of }),
    api(listFilterChoices, {}),
  ])
  return { search, figures, time, journeys: choices.journeys.filter(({ status }) => status !== 'draft') }
}

export default function BeforeAndAfter() {
  const { search, figures, time, journeys } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Before and after"
      lead={
        <>
          Results of assessments so far, <Day at={figures.as_of} />.
        </>
      }
    >
      <Tabs type="assessments" />
      <Form method="get" className="report-filters">
        <label>
          <span>Journey</span>
          <select className="input input-select" name="journey" defaultValue={search.journey ?? ''}>
            <option value="">All journeys</option>
            {journeys.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Button type="submit" variant="soft" color="gray">
          Show
        </Button>
      </Form>
      {figures.data.length > 0 ? (
        <Compared objectives={figures.data} />
      ) : (
        <NoRows
          pagination={figures.pagination}
          title="No objective is assessed yet"
          hint="Figures appear when an assessment asks about an objective, before and after."
        />
      )}
      <Pager pagination={figures.pagination} />
      <section className="report-prompt" aria-labelledby="time-to-answer">
        <h2 id="time-to-answer">Time to answer</h2>
        <p>{saidOfTime(time)}</p>
      </section>
      <ExportForm
        exported={[
          {
            tables: ['assessments'],
            asked: { journey: search.journey, lo_id: search.lo_id, as_of: figures.as_of },
          },
        ]}
        journey={search.journey}
      />
    </Page>
  )
}

const Compared = ({ objectives }: { objectives: readonly ObjectiveFigures[] }) => (
  <>
    <div className="charts">
      <ObjectivesChart objectives={objectives} />
    </div>
    <DataTable
      caption="Objectives before and after"
      columns={COLUMNS}
      rows={objectives}
      rowKey="objective_id"
    />
    <p className="report-quiet">
      Only learners with both assessments are compared, five at a time in the order in which they came, so
      that nobody’s own score can be worked out. The interval holds the true change with 95% (Student’s t); d
      is the change in standard deviations. People who are left out of figures are left out here too.
    </p>
  </>
)

const COLUMNS: readonly Column<ObjectiveFigures>[] = [
  {
    key: 'text',
    label: 'Objective',
    render: ({ code, text, journey_id, journey }) => (
      <div className="report-objective">
        <bdi>{code}</bdi> <bdi>{text}</bdi> <br />
        <Link to={`/lljs/${journey_id}/assessments/`} className="report-quiet">
          <bdi>{journey}</bdi>
        </Link>
      </div>
    ),
  },
  ...changeColumns('Change, own view'),
  {
    key: 'sponsors',
    label: 'Change, sponsor’s view',
    render: ({ sponsor_change, learners }) => saidOfChange(sponsor_change, learners),
  },
  {
    key: 'gap',
    label: 'Both views, after',
    render: ({ gap_after, learners }) => saidOfGap(gap_after, learners),
  },
]
