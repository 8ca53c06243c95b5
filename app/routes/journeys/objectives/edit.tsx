import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listObjectives, updateObjective } from '#app/api/contract/objectives.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { ObjectiveForm, objectiveOfForm } from '#app/domain/objectives/objective.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { refuseGone, requirePage } from '#app/routes/gone.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { useRefused } from '#app/ui/form/refused.ts'
import { Link } from '#app/ui/link.tsx'
import { readJourney, requireMayEdit } from '../journey.server.ts'
import { JourneyPage } from '../journey-page.tsx'
import { ObjectiveFields } from './objective-fields.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${isolated(data?.objective?.code ?? 'Objective')} · ${isolated(data?.journey.name ?? 'Journey')} · Liftwell`,
  },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { journeyId, objectiveId } = args.params
  const [shown, objectives] = await Promise.all([
    readJourney(api, journeyId),
    api(listObjectives, { id: journeyId }),
  ])
  await requireMayEdit(shown)
  const objective = objectives.data.find(({ id }) => String(id) === objectiveId) ?? null
  return data({ journey: shown.journey, objective }, { status: objective ? 200 : 404 })
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { journeyId, objectiveId } = args.params
  const submission = readForm(await args.request.formData(), ObjectiveForm)
  if (submission.status !== 'success') return refuse(submission)
  try {
    const { lock_version } = submission.value
    const body = { ...objectiveOfForm(submission.value), lock_version: lock_version as number }
    await api(updateObjective, { id: objectiveId }, body)
  } catch (error) {
    await requirePage(error, () => readJourney(api, journeyId))
    return refuseGone(
      submission,
      error,
      'Someone deleted this objective while you were editing. Save it again as a new one.',
    )
  }
  return redirectWithToast(encodePath`/lljs/${journeyId}/objectives`, { title: 'Objective saved' })
}

export default function EditObjective() {
  const { journey, objective } = useLoaderData<typeof loader>()
  const { lastResult } = useRefused()
  return (
    <JourneyPage journey={journey} title={objective ? `Edit ${objective.code}` : 'Learning objective'}>
      <div className="stack page-narrow">
        {objective || lastResult ? (
          <ObjectiveFields key={objective?.id ?? 'new'} objective={objective} />
        ) : (
          <p>This objective no longer exists. Someone removed it, or the link is old.</p>
        )}
        <p>
          <Link to={`/lljs/${journey.id}/objectives`}>All learning objectives</Link>
        </p>
      </div>
    </JourneyPage>
  )
}
