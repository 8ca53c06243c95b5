import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData, useParams } from '@remix-run/react'
import { createAssessment, updateAssessment } from '#app/api/contract/assessments.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { AssessmentForm, assessmentOfForm, END_FIELDS } from '#app/domain/assessments/assessment-form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { refuseGone, requirePage } from '#app/routes/gone.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { useRefused } from '#app/ui/form/refused.ts'
import { readJourney } from '../journeys/journey.server.ts'
import { JourneyPage } from '../journeys/journey-page.tsx'
import { mapFieldErrors } from '../journeys/map-field-errors.server.ts'
import { NotThere } from '../journeys/not-there.tsx'
import { editorOf, listOf } from './address.ts'
import { readAssessment } from './assessment.server.ts'
import { AssessmentEditor } from './assessment-editor.tsx'
import { ItemList } from './item-list.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${isolated(data?.assessment?.name ?? (data?.isNew ? 'New assessment' : 'Assessment'))} · ${isolated(data?.journey.name ?? 'Journey')} · Liftwell`,
  },
]

/** For new and existing assessments. */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const isNew = args.params.assessmentId === undefined
  const shown = await readAssessment(api, args.params)
  return data({ ...shown, isNew }, { status: isNew || shown.assessment ? 200 : 404 })
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { journeyId, assessmentId } = args.params
  const submission = readForm(await args.request.formData(), AssessmentForm)
  if (submission.status !== 'success') return refuse(submission)
  const { lock_version } = submission.value
  const input = assessmentOfForm(submission.value)
  try {
    const saved = assessmentId
      ? await api(updateAssessment, { id: assessmentId }, { ...input, lock_version })
      : await api(createAssessment, { id: journeyId }, input)
    return redirectWithToast(editorOf(args.params, saved.id), { title: 'Saved', message: saved.name })
  } catch (error) {
    await requirePage(error, () => readJourney(api, journeyId))
    const why = 'Someone deleted this assessment while you were editing. Save it again as a new one.'
    return refuseGone(submission, await mapFieldErrors(error, END_FIELDS), why)
  }
}

export default function EditAssessment() {
  const { journey, assessment, isNew } = useLoaderData<typeof loader>()
  const { lastResult } = useRefused()
  const list = listOf(useParams())
  return (
    <JourneyPage journey={journey} title={assessment ? `Edit “${assessment.name}”` : 'New assessment'}>
      <div className="stack page-narrow">
        {assessment || isNew || lastResult ? (
          <AssessmentEditor key={assessment?.id ?? 'new'} assessment={assessment} />
        ) : (
          <NotThere what="This assessment no longer exists." back={list}>
            All assessments
          </NotThere>
        )}
        {assessment ? <ItemList assessment={assessment} /> : null}
      </div>
    </JourneyPage>
  )
}
