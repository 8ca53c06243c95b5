import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { deleteLift } from '#app/api/contract/lifts.ts'
import { previewChanges } from '#app/api/contract/schedules.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { seenIn } from '#app/routes/seen.server.ts'
import { whyNotDone } from '#app/routes/why-not-done.server.ts'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { ImpactNumbers } from '../impact-question.tsx'
import { scheduleOf } from '../schedule/address.ts'
import { liftOf, useLiftAddress } from './address.ts'
import { findLift } from './lift.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Delete ${isolated(data?.lift.title ?? 'a lift')}? · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const lift = await findLift(api, args.params)
  if (!lift) throw redirect(liftOf(args.params, args.request))
  const changes = { lifts: [{ lift_id: lift.id, status: 'retired' as const }] }
  const { impact } = await api(previewChanges, { id: args.params.journeyId }, { user_id: null, changes })
  return { lift, impact }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const schedule = scheduleOf(args.params.journeyId, args.request)
  const seen = seenIn(await args.request.formData(), 'lock_version')
  try {
    await api(deleteLift, { id: args.params.liftId }, seen)
  } catch (error) {
    return redirectWithToast(schedule, await whyNotDone(error, 'deleted'))
  }
  return redirectWithToast(schedule, { title: 'Lift deleted' })
}

export default function DeleteLift() {
  const { lift, impact } = useLoaderData<typeof loader>()
  const address = useLiftAddress()
  const [search] = useSearchParams()
  return (
    <ConfirmDialog
      title={`Delete ${isolated(lift.title)}?`}
      message={
        <>
          {impact ? <ImpactNumbers impact={impact} /> : null}
          <p>A lift that was already sent is kept for the figures and sent to nobody else.</p>
        </>
      }
      continueText="Yes, delete"
      cancelHref={search.get('from') === 'lift' ? address.lift : `${address.schedule}#lift-${lift.id}`}
      variant="error"
      fields={{ lock_version: lift.lock_version }}
    />
  )
}
