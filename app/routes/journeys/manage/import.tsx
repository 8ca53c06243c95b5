import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData } from '@remix-run/react'
import { importJourney, listJourneyChoices } from '#app/api/contract/journeys.ts'
import { type ImportResult, MAX_DOCUMENT_CHARACTERS } from '#app/domain/running/documents/document.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { noPermission, requireDashboard } from '#app/routes/guards.server.ts'
import { Page } from '#app/ui/page.tsx'
import { checkImport } from '../check-import.server.ts'
import { ImportForm } from '../import-form.tsx'
import { useListAddress } from './address.ts'
import { ImportReport } from './import-report.tsx'

export const meta: MetaFunction = () => [{ title: 'Import a journey · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { may_create } = await api(listJourneyChoices)
  if (!may_create) throw noPermission()
  return null
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  return checkImport<ImportResult>(args.request, MAX_DOCUMENT_CHARACTERS, async (text, isSure) => {
    const report = await api(importJourney, { text, dry_run: true })
    const isRight = !report.problems.some(({ severity }) => severity === 'error')
    if (!isSure || !isRight) return { report, isRight }
    const { journey_id, name } = await api(importJourney, { text, dry_run: false })
    return redirectWithToast(`/lljs/${journey_id}/schedule`, { title: 'Journey imported', message: name })
  })
}

export default function ImportJourney() {
  const { list } = useListAddress()
  return (
    <Page
      title="Import a journey"
      lead="Choose a file that “Export” saved from another journey. You see what is in it before anything is created."
      narrow
    >
      <ImportForm
        answer={useActionData<typeof action>()}
        accept=".md,text/markdown,text/plain"
        rows={12}
        report={(found: ImportResult) => <ImportReport {...found} />}
        check="Check the file"
        carryOut="Create the draft"
        back={{ to: list, label: 'Cancel' }}
      />
    </Page>
  )
}
