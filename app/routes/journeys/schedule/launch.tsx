import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getJourney, getTimeline, launchJourney } from '#app/api/contract/journeys.ts'
import { dayIn } from '#app/domain/text/date-format.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { tenantNow } from '#app/routes/tenant-clock.server.ts'
import { already } from '#app/routes/why-not-done.server.ts'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { reason } from '../reason.server.ts'
import { scheduleOf, useScheduleAddress } from './address.ts'
import { learnersIn } from './launch-panel.tsx'
import { dispatchesOf, WhenToSend } from './when-to-send.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Launch ${isolated(data?.timeline.journey.name ?? 'a journey')}? · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { api } = visitor
  const { journeyId } = args.params
  const past = new URL(args.request.url).searchParams.get('past') === 'skip' ? 'skip' : 'send'
  const read = await api(getTimeline, { id: journeyId }, { launch: past })
  const { journey, learners, problems, at_launch, forecast } = read
  // The schedule lists the obstacles.
  if (!journey.may_edit || !forecast || journey.status !== 'draft' || problems.length > 0)
    throw redirect(scheduleOf(journeyId, args.request))
  const timeline = { journey, learners, problems, at_launch, forecast }
  const { start_on, timezone } = journey
  const startsOn = start_on && start_on > dayIn(timezone, await tenantNow(args, visitor)) ? start_on : null
  return { timeline, forecast, startsOn, skipPast: past === 'skip' }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const schedule = scheduleOf(args.params.journeyId, args.request)
  const formData = await args.request.formData()
  const input = {
    expected_recipients: Number(formData.get('expected_recipients')),
    skip_past: formData.get('skip_past') === 'true',
    send_now: formData.get('send_now') === 'true',
  }
  try {
    const journey = await api(launchJourney, { id: args.params.journeyId }, input)
    return redirectWithToast(schedule, { title: 'Journey launched', message: journey.name })
  } catch (error) {
    const { name, status } = await api(getJourney, { id: args.params.journeyId })
    if (status !== 'draft') return redirectWithToast(schedule, { ...already('launched'), message: name })
    const message = await reason(error)
    return redirectWithToast(schedule, { title: 'Not launched', message, variant: 'error' })
  }
}

export default function ConfirmLaunch() {
  const { timeline, forecast, startsOn, skipPast } = useLoaderData<typeof loader>()
  const { journey, learners } = timeline
  const { schedule } = useScheduleAddress()
  return (
    <ConfirmDialog
      title={`Launch ${isolated(journey.name)}?`}
      subtitle={`${learnersIn(learners)} will take part.`}
      message={
        <div className="stack">
          {dispatchesOf(forecast) > 0 ? <WhenToSend {...timeline} {...{ forecast, startsOn }} /> : null}
          <p>
            Lifts with their own time follow their schedule, outside quiet hours. You can’t undo a launch, but
            you can pause it.
          </p>
        </div>
      }
      continueText="Yes, launch"
      cancelHref={schedule}
      fields={{ expected_recipients: learners, skip_past: String(skipPast) }}
    />
  )
}
