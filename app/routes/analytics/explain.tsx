import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { explainFigure, listFilterChoices } from '#app/api/contract/analytics.ts'
import { DEFINITIONS } from '#app/domain/analytics/definitions.ts'
import { type Explained, ExplainSearch } from '#app/domain/analytics/explained/explained.ts'
import { DAY_NAMES, FILTER_NAMES } from '#app/domain/analytics/filter-names.ts'
import { percent } from '#app/domain/analytics/rate.ts'
import { isRunning } from '#app/domain/journeys/journey-status.ts'
import { figures } from '#app/domain/text/figures.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Link } from '#app/ui/link.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { NoRows } from '#app/ui/list/no-rows.tsx'
import { Pager } from '#app/ui/list/pager.tsx'
import { DataTable } from '#app/ui/list/table.tsx'
import { Page } from '#app/ui/page.tsx'
import stylesheet from './analytics.css?url'
import { counted } from './charts/words.ts'
import { LeftOut, remindColumn, remindHref, rowColumns } from './explain-parts.tsx'
import { ExportForm } from './export-form.tsx'
import { Filters } from './filters.tsx'
import { filtersOf } from './read-report.server.ts'
import { Until } from './until.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? titleOf(data.search) : 'Analytics'} · Liftwell` },
]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const search = ExplainSearch.parse(Object.fromEntries(new URL(args.request.url).searchParams))
  const { figure, outcome, q, page } = search
  const [order_by, order] = search.order.split(':') as ['name', 'asc' | 'desc']
  const filters = filtersOf(search)
  const [choices, explained] = await Promise.all([
    // First: it reads what the other asks for.
    api(listFilterChoices, filters),
    api(explainFigure, { ...filters, figure, outcome, q, page, order_by, order }),
  ])
  const as_of = search.as_of ?? explained.as_of
  const asked = { ...filters, as_of, figure, outcome, q, order_by, order }
  return { search, explained, choices, asked }
}

/** The learners and lifts behind a figure, such as those who have not answered. */
export default function Explanation() {
  const { search, explained, choices, asked } = useLoaderData<typeof loader>()
  const { figure, outcome } = search
  const { data, pagination, left_out } = explained
  const { n, d } = DEFINITIONS[figure]
  const running = new Set(choices.journeys.filter(({ status }) => isRunning(status)).map(({ id }) => id))
  const mayBeReminded = canRemind(search) && data.some(({ journey_id }) => running.has(journey_id))
  const [first] = data
  const ofOneLift = Boolean(search.lift ?? search.lift_id)
  const kept = { figure, ...(outcome === 'all' ? {} : { outcome }) }
  return (
    <Page
      title={titleOf(search)}
      lead={<Lead {...{ explained, search }} today={choices.today} />}
      action={
        mayBeReminded && ofOneLift && first ? (
          <ButtonLink to={remindHref(first)}>Remind them</ButtonLink>
        ) : null
      }
    >
      <div className="report-formula">
        {outcome === 'waiting' || outcome === 'behind' ? null : (
          <p>
            Counted: {n}. Out of: {d}.
          </p>
        )}
        <LeftOut leftOut={left_out} figure={outcome === 'waiting' ? 'coverage' : figure} />
      </div>
      <Filters {...{ search, choices, kept }} isClearedBelow />
      <Outcomes q={search.q} figure={figure} />
      <Rows
        search={search}
        explained={explained}
        columns={mayBeReminded && !ofOneLift ? [...rowColumns, remindColumn(running)] : rowColumns}
      />
      <Pager pagination={pagination} />
      <ExportForm exported={[{ tables: ['explain'], asked }]} journey={search.journey} />
      <p>
        <Link to={backTo(search)}>Back to the report</Link>
      </p>
    </Page>
  )
}

type RowsProps = { search: ExplainSearch; explained: Explained; columns: typeof rowColumns }

const Rows = ({ search, explained: { data, pagination }, columns }: RowsProps) =>
  data.length > 0 ? (
    <DataTable
      caption={titleOf(search)}
      columns={columns}
      rows={data}
      order={search.order}
      rowKey="occurrence_id"
    />
  ) : (
    <NoRows
      pagination={pagination}
      title={search.q ? 'No results' : 'Nobody'}
      hint={search.q ? 'No learner and no lift has this name.' : emptyWords(search)}
    />
  )

const Outcomes = ({ q, figure }: Pick<ExplainSearch, 'q' | 'figure'>) => (
  <FilterBar
    q={q}
    placeholder="Search learners and lifts"
    others={[...FILTER_NAMES, ...DAY_NAMES]}
    chips={[
      {
        name: 'outcome',
        legend: 'Show',
        single: true,
        options: [
          { value: 'no', label: DEFINITIONS[figure].no },
          { value: 'yes', label: DEFINITIONS[figure].yes },
          ...(figure === 'completion' ? [{ value: 'behind', label: 'Behind' }] : []),
          ...(figure === 'response' ? [{ value: 'waiting', label: 'Can still answer' }] : []),
        ],
      },
    ]}
  />
)

/** Whether the rows are learners who still have to answer or complete a lift. */
const canRemind = ({ figure, outcome }: ExplainSearch): boolean =>
  outcome === 'behind' ||
  outcome === 'waiting' ||
  (outcome === 'no' && (figure === 'response' || figure === 'completion'))

type LeadProps = { explained: Explained; search: Pick<ExplainSearch, 'outcome' | 'as_of'>; today: string }

function Lead({ explained, search, today }: LeadProps) {
  const { rate, as_of, learners, learners_capped, pagination } = explained
  return (
    <>
      {search.outcome === 'behind' ? (
        'A required lift was due over 3 days ago and is not completed, though it still can be. A lift that never reached its learner does not count.'
      ) : search.outcome === 'waiting' ? (
        'The lift was sent, has no answer, and can still be answered.'
      ) : (
        <>
          {rate.d === 0 ? 'Nothing to count' : `${percent(rate)}: ${figures(rate.n)} of ${figures(rate.d)}`},
          as of <Until chosen={search.as_of} today={today} at={as_of} timed />.
        </>
      )}
      {pagination.total > 0
        ? ` Below: ${pagination.is_capped ? 'over ' : ''}${counted(pagination.total, 'lift')} of ${learners_capped ? 'over ' : ''}${counted(learners, 'learner')}.`
        : null}
    </>
  )
}

function titleOf({ figure, outcome }: Pick<ExplainSearch, 'figure' | 'outcome'>): string {
  const { name, yes, no } = DEFINITIONS[figure]
  if (outcome === 'all') return `${name}: the learners and lifts behind it`
  if (outcome === 'behind') return 'Who is behind'
  if (outcome === 'waiting') return 'Who can still answer'
  if (figure === 'response') return outcome === 'no' ? 'Who has not answered' : 'Who has answered'
  return outcome === 'no' ? `${no}: learners and lifts` : `${yes}: learners and lifts`
}

function emptyWords({ figure, outcome }: ExplainSearch): string {
  if (outcome === 'behind')
    return 'Nobody owes a lift that was due over 3 days ago and can still be completed.'
  if (outcome === 'waiting') return 'Everyone who was sent the lift has answered, or no longer can.'
  if (outcome === 'no') return 'Nothing is missing: everything that this figure counts is there.'
  return figure === 'response' && outcome === 'all'
    ? 'No lift with a question was due.'
    : 'Nothing that matches these filters is counted.'
}

function backTo(search: ExplainSearch): string {
  const { figure: _figure, outcome: _outcome, q: _q, order: _order, page: _page, ...filters } = search
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  const type: [string, string][] = search.lift
    ? [['type', 'by_lift']]
    : search.user
      ? [['type', 'by_user']]
      : []
  return `/analytics?${new URLSearchParams([...type, ...given.map(([name, value]) => [name, String(value)] as [string, string])])}`
}
