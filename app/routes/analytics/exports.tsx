import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listFilterChoices } from '#app/api/contract/analytics.ts'
import { listExports, startExport, startStatements } from '#app/api/contract/exports.ts'
import { ExportInput, ExportSearch, StatementsForm } from '#app/domain/exports/export.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { sayWhy } from '#app/routes/say-why.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { useRefresh } from '#app/ui/frame/use-refresh.ts'
import { NoRows } from '#app/ui/list/no-rows.tsx'
import { Pager } from '#app/ui/list/pager.tsx'
import { DataTable } from '#app/ui/list/table.tsx'
import { Page } from '#app/ui/page.tsx'
import stylesheet from './analytics.css?url'
import { exportColumns } from './export-columns.tsx'
import { StatementsSection } from './statements-form.tsx'

export const meta: MetaFunction = () => [{ title: 'Your exports · Analytics · Liftwell' }]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

const HERE = '/analytics/exports'

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { page, journey } = ExportSearch.parse(Object.fromEntries(new URL(args.request.url).searchParams))
  const [exports, choices] = await Promise.all([api(listExports, { page }), api(listFilterChoices, {})])
  const journeys = choices.journeys.filter(({ status }) => status !== 'draft')
  return { exports, journeys, journey: journey ?? null }
}

/** Receives the export forms of all reports. */
export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const sent = await args.request.formData()
  const intent = requireIntent(sent, ['report', 'statements'])
  const refused = (message: string) =>
    redirectWithToast(HERE, { title: 'Not exported', message, variant: 'error' })
  try {
    if (intent === 'report') {
      const asked = readForm(sent, ExportInput)
      if (asked.status !== 'success') return refused(wrongIn(asked))
      await api(startExport, asked.value)
      return redirectWithToast(HERE, { title: 'Your file is being made' })
    }
    const asked = readForm(sent, StatementsForm)
    if (asked.status !== 'success') return refused(wrongIn(asked))
    const { journey, ...input } = asked.value
    await api(startStatements, { id: String(journey) }, input)
    const title = input.to === 'file' ? 'Your file is being made' : 'The statements are being sent'
    return redirectWithToast(`${HERE}?journey=${journey}`, { title })
  } catch (error) {
    return refused(await sayWhy(error))
  }
}

/** The forms consist of buttons, so errors belong to no field. */
const wrongIn = ({ error }: { error?: Record<string, string[] | null> | null }): string =>
  Object.values(error ?? {})
    .flat()
    .join(' ') || 'These filters cannot be used.'

export default function Exports() {
  const { exports, journeys, journey } = useLoaderData<typeof loader>()
  const { data, pagination, record_store } = exports
  const isUnderWay = data.some(({ status }) => status === 'waiting' || status === 'running')
  useRefresh(isUnderWay)
  return (
    <Page
      title="Your exports"
      lead="Only you see them here. Each is kept for a day and then deleted."
      action={
        <ButtonLink to={journey ? `/analytics?journey=${journey}` : '/analytics'} variant="soft" color="gray">
          All analytics
        </ButtonLink>
      }
    >
      {isUnderWay ? (
        <noscript>
          <meta httpEquiv="refresh" content="3" />
        </noscript>
      ) : null}
      <div aria-live="polite" className="section">
        {data.length > 0 ? (
          <DataTable caption="Your exports" columns={exportColumns} rows={data} rowKey="id" />
        ) : (
          <NoRows
            pagination={pagination}
            title="Nothing exported yet"
            hint="Each report has buttons that make a file of it: Excel or CSV."
          />
        )}
        <Pager pagination={pagination} />
      </div>
      <StatementsSection journeys={journeys} journey={journey} recordStore={record_store} />
    </Page>
  )
}
