import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData, useParams } from '@remix-run/react'
import { deleteAssessment } from '#app/api/contract/assessments.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { seenIn } from '#app/routes/seen.server.ts'
import { whyNotDone } from '#app/routes/why-not-done.server.ts'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { listOf } from './address.ts'
import { readAssessment } from './assessment.server.ts'

/** An assessment with submitted forms is only closed. */
const wordOf = (submitted: number) => (submitted > 0 ? 'Close' : 'Delete')

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${wordOf(data.submitted)} ${isolated(data.name)}? · Liftwell` : 'Assessment · Liftwell' },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { assessment } = await readAssessment(api, args.params)
  if (!assessment) throw redirect(listOf(args.params))
  return assessment
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const list = listOf(args.params)
  const seen = seenIn(await args.request.formData(), 'lock_version')
  try {
    await api(deleteAssessment, { id: args.params.assessmentId }, seen)
  } catch (error) {
    return redirectWithToast(list, await whyNotDone(error, 'removed'))
  }
  return redirectWithToast(list, { title: 'Done' })
}

export default function RemoveAssessment() {
  const { name, submitted, lock_version } = useLoaderData<typeof loader>()
  const word = wordOf(submitted)
  return (
    <ConfirmDialog
      title={`${word} ${isolated(name)}?`}
      message={
        submitted > 0
          ? 'It no longer takes answers. What was submitted stays.'
          : 'Nobody has submitted anything; what somebody began goes with it.'
      }
      continueText={`Yes, ${word.toLowerCase()}`}
      cancelHref={listOf(useParams())}
      variant="error"
      fields={{ lock_version }}
    />
  )
}
