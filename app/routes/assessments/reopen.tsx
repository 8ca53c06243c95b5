import { getFormProps } from '@conform-to/react'
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData, useParams } from '@remix-run/react'
import { getLearnerAssessments, reopenAssessment } from '#app/api/contract/assessments.ts'
import { ReopenInput } from '#app/domain/assessments/form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { learnerOf } from './address.ts'

const ReopenForm = ReopenInput.pick({ reason: true })

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Open again: ${isolated(data?.assessment.name ?? 'assessment')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { journeyId, userId, assessmentId } = args.params
  const rater = raterIn(args.params)
  const { learner, assessments, may_reopen } = await api(getLearnerAssessments, { id: journeyId, userId })
  const assessment = assessments.find(({ id }) => String(id) === assessmentId)
  if (!may_reopen || !assessment) throw redirect(learnerOf(args.params))
  return { learner, assessment, rater }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { userId, assessmentId } = args.params
  const rater = raterIn(args.params)
  return saveForm(await args.request.formData(), ReopenForm, async ({ reason }) => {
    await api(reopenAssessment, { id: assessmentId, userId }, { reason, rater })
    const message = 'The person who fills it in was told.'
    return redirectWithToast(learnerOf(args.params), { title: 'Opened again', message })
  })
}

function raterIn({ rater }: ActionFunctionArgs['params']) {
  const known = ReopenInput.shape.rater.safeParse(rater)
  if (!known.success) throw new Response('Not Found', { status: 404 })
  return known.data
}

export default function Reopen() {
  const { learner, assessment, rater } = useLoaderData<typeof loader>()
  const back = learnerOf(useParams())
  const { form, fields } = useSchemaForm(ReopenForm, { id: 'reopen', defaultValue: { reason: '' } })
  return (
    <Modal title={`Open again: ${isolated(assessment.name)}`} closeHref={back}>
      <Form method="post" {...getFormProps(form)} className="stack">
        <FormErrors form={form} labels={{ reason: 'Reason' }} />
        <p>
          {rater === 'self' ? learner.name : `The sponsor of ${learner.name}`} can change their answers and
          submit again. What was submitted before is kept.
        </p>
        <TextInput
          field={fields.reason}
          label="Reason"
          maxLength={300}
          required
          help="The person who fills it in can read it."
        />
        <div className="dialog-actions">
          <ButtonLink to={back} variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton>Open again</SubmitButton>
        </div>
      </Form>
    </Modal>
  )
}
