import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { getJourney, listJourneyChoices, updateJourney } from '#app/api/contract/journeys.ts'
import { listTimezones } from '#app/api/contract/tenancy/tenants.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { changeOfForm, JourneyForm, timingOf } from '#app/domain/journeys/journey-form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requirePage } from '#app/routes/gone.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { useRefused } from '#app/ui/form/refused.ts'
import { Page } from '#app/ui/page.tsx'
import { questionBefore } from '../impact.server.ts'
import { readJourney } from '../journey.server.ts'
import { JourneyTabs } from '../journey-page.tsx'
import { listOf } from '../manage/address.ts'
import { JourneyFacts } from './journey-facts.tsx'
import { JourneyFields } from './journey-fields.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Details of ${isolated(data?.journey.name ?? 'a journey')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { journey, mayEdit } = await readJourney(api, args.params.journeyId)
  return { journey, choices: mayEdit ? await readChoices(api) : null, back: backOf(args) }
}

async function readChoices(api: ApiClient) {
  const [{ categories }, timezones] = await Promise.all([api(listJourneyChoices), api(listTimezones)])
  return { categories, timezones }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const id = String(args.params.journeyId)
  const formData = await args.request.formData()
  const submission = readForm(formData, JourneyForm)
  if (submission.status !== 'success') return refuse(submission)
  try {
    const { lock_version: stored } = await api(getJourney, { id })
    const versions = { seen: submission.value.lock_version, stored }
    const impact = await questionBefore(api, id, { journey: timingOf(submission.value) }, formData, versions)
    if (impact) return data({ ...submission.reply(), impact })
    const { name } = await api(updateJourney, { id }, changeOfForm(submission.value))
    return redirectWithToast(backOf(args), { title: 'Journey saved', message: name })
  } catch (error) {
    await requirePage(error, () => readJourney(api, id))
    return refuse(submission, error)
  }
}

/** Opened from the list of journeys, or from a journey. */
const backOf = ({ request, params }: ActionFunctionArgs | LoaderFunctionArgs): string =>
  new URL(request.url).pathname.startsWith('/lljs/manage/')
    ? listOf(request)
    : encodePath`/lljs/${params.journeyId}/schedule`

export default function EditDetails() {
  const { journey, choices, back } = useLoaderData<typeof loader>()
  const { lastResult } = useRefused()
  return (
    <Page title={`Details of ${isolated(journey.name)}`}>
      {back.startsWith('/lljs/manage') ? null : <JourneyTabs journey={journey} />}
      {/* The input is shown again even if it can no longer be saved. */}
      {choices || lastResult ? (
        <JourneyFields {...{ journey, choices, back }} />
      ) : (
        <JourneyFacts journey={journey} />
      )}
    </Page>
  )
}
