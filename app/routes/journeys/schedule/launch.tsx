import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { encodePath } from '#app/api/path.ts'
import { Journey } from '#app/domain/journeys/journey.ts'
import { Timeline } from '#app/domain/running/timeline.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { reason } from '../reason.server.ts'
import { scheduleOf, useScheduleAddress } from './address.ts'
import { learnersIn } from './launch-panel.tsx'
import { messagesOf, WhenToSend } from './when-to-send.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Launch ${data?.timeline.journey.name ?? 'a journey'}? · Liftwell` },
]

const Launch = Timeline.pick({
  ...{ journey: true, learners: true, problems: true },
  ...{ at_launch: true, quiet_hours: true, forecast: true },
})

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { journeyId } = args.params
  const path = encodePath`/lljs/${journeyId}/schedule`
  const past = new URL(args.request.url).searchParams.get('past') === 'skip' ? 'skip' : 'send'
  const timeline = await api.get(path, Launch, { launch: past })
  const { journey, forecast, problems } = timeline
  // The schedule says what is still in the way.
  if (!journey.may_edit || !forecast || journey.status !== 'draft' || problems.length > 0)
    throw redirect(scheduleOf(journeyId, args.request))
  return { timeline, forecast, skipPast: past === 'skip' }
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
    const journey = await api.post(encodePath`/lljs/${args.params.journeyId}/launch`, input, Journey)
    return redirectWithToast(schedule, { title: 'Journey launched', message: journey.name })
  } catch (error) {
    const message = await reason(error)
    return redirectWithToast(schedule, { title: 'Not launched', message, variant: 'error' })
  }
}

export default function ConfirmLaunch() {
  const { timeline, forecast, skipPast } = useLoaderData<typeof loader>()
  const { journey, learners } = timeline
  const { schedule } = useScheduleAddress()
  return (
    <ConfirmDialog
      title={`Launch ${journey.name}?`}
      subtitle={`${learnersIn(learners)} will take part.`}
      message={
        <div className="stack">
          {messagesOf(forecast) > 0 ? <WhenToSend {...timeline} forecast={forecast} /> : null}
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
