import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { foreseeReminders, remindUnanswered } from '#app/api/contract/lifts.ts'
import { refusalOf } from '#app/api/refuse.server.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import type { Reminded, ReminderForesight } from '#app/domain/sending/reminding.ts'
import { figures } from '#app/domain/text/figures.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { noPermission, requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FormActions, SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { readJourney } from '../../journey.server.ts'
import { JourneyPage } from '../../journey-page.tsx'
import { reason } from '../../reason.server.ts'
import { scheduleOf } from '../../schedule/address.ts'
import { isSendable } from '../../sendable.ts'
import { useLiftAddress } from '../address.ts'
import { requireLift } from '../lift.server.ts'
import { saidOnce } from './pressed-twice.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data: shown }) => [
  { title: `Reminder for ${isolated(shown?.lift.title ?? 'a lift')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const [{ journey }, lift] = await Promise.all([
    readJourney(api, args.params.journeyId),
    requireLift(api, args.params),
  ])
  if (!journey.may_edit) throw noPermission()
  const foresight = isSendable(journey, lift) ? await api(foreseeReminders, { id: lift.id }) : null
  return { journey, lift, foresight }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const lift = await requireLift(api, args.params)
  try {
    const done = await api(remindUnanswered, { id: lift.id })
    return await redirectWithToast(
      scheduleOf(args.params.journeyId, args.request),
      saidOnce(args, toastOf(done, doneWith(lift).words)),
    )
  } catch (error) {
    return data({ problem: await reason(error) }, { status: refusalOf(error).status })
  }
}

/** The verb for a lift: learners answer it, or complete it if it asks nothing. */
const doneWith = ({ prompts }: Lift) =>
  prompts.length > 0 ? { verb: 'answered', words: 'answered' } : { verb: 'completed', words: 'completed it' }

function toastOf({ planned, now, later }: Reminded, done: string) {
  if (planned === 0)
    return {
      title: 'Nobody to remind',
      message: `Everyone has ${done}, or was reminded today.`,
      variant: 'info' as const,
    }
  const when = [some(now, 'goes out now', 'go out now'), some(later, 'goes out later', 'go out later')]
  return {
    title: planned === 1 ? '1 person is reminded' : `${count(planned)} people are reminded`,
    message: `${when.filter(Boolean).join(', ')}.`,
  }
}

export default function RemindUnanswered() {
  const { journey, lift, foresight } = useLoaderData<typeof loader>()
  const { problem } = useActionData<typeof action>() ?? {}
  const { schedule } = useLiftAddress()
  const done = doneWith(lift)
  const reached = foresight ? foresight.now + foresight.morning + foresight.tomorrow : 0
  return (
    <JourneyPage
      journey={journey}
      title={
        reached > 0
          ? `Remind those who have not ${done.verb} “${isolated(lift.title)}”?`
          : `Reminder for “${isolated(lift.title)}”`
      }
    >
      <div className="stack page-narrow">
        {problem ? (
          <p className="field-errors" role="alert">
            {problem}
          </p>
        ) : null}
        {foresight ? (
          <WhatHappens {...foresight} done={done.words} />
        ) : (
          <p>You can send reminders of ready lifts while the journey is running.</p>
        )}
        <Form method="post" preventScrollReset>
          <FormActions>
            <ButtonLink to={schedule} variant="soft" color="gray">
              {reached > 0 ? 'Cancel' : 'Back to the schedule'}
            </ButtonLink>
            {reached > 0 ? (
              <SubmitButton>
                {reached === 1 ? 'Remind 1 person' : `Remind ${count(reached)} people`}
              </SubmitButton>
            ) : null}
          </FormActions>
        </Form>
      </div>
    </JourneyPage>
  )
}

const count = (people: number) => figures(people)
const some = (people: number, one: string, more: string) =>
  people === 0 ? null : `${count(people)} ${people === 1 ? one : more}`

const UNSENT = [
  {
    fate: 'not_sent',
    one: 'has not been sent the lift yet and gets no reminder.',
    more: 'have not been sent the lift yet and get no reminder.',
  },
  {
    fate: 'unknown',
    one: 'gets no reminder: it is unconfirmed whether the lift arrived.',
    more: 'get no reminder: it is unconfirmed whether the lift arrived.',
  },
  {
    fate: 'suppressed',
    one: 'gets no reminder: the lift’s message was held back.',
    more: 'get no reminder: the lift’s messages were held back.',
  },
  {
    fate: 'failed',
    one: 'gets no reminder: the lift’s message failed.',
    more: 'get no reminder: the lift’s messages failed.',
  },
  {
    fate: 'expired',
    one: 'gets no reminder: it was too late to send the lift.',
    more: 'get no reminder: it was too late to send the lift.',
  },
] as const

type WhatHappensProps = ReminderForesight & { done: string }

function WhatHappens(props: WhatHappensProps) {
  const { people, now, morning, tomorrow, reminded, closed, done, ...unsent } = props
  const ways = [
    some(now, 'gets the reminder now.', 'get the reminder now.'),
    some(
      morning,
      'gets it in the morning, after their quiet hours.',
      'get it in the morning, after their quiet hours.',
    ),
    some(
      tomorrow,
      'gets it tomorrow: they had a reminder today.',
      'get it tomorrow: they had a reminder today.',
    ),
    some(
      reminded,
      'does not get it: you reminded them of this lift today.',
      'do not get it: you reminded them of this lift today.',
    ),
    some(
      closed,
      'does not get it: the lift is closed for them, or will be by then.',
      'do not get it: the lift is closed for them, or will be by then.',
    ),
    ...UNSENT.map(({ fate, one, more }) => some(unsent[fate], one, more)),
  ]
  return (
    <>
      <p>
        {people === 0
          ? `Everyone who was sent this lift has ${done}.`
          : some(people, `person has not ${done}.`, `people have not ${done}.`)}
      </p>
      <ul className="problems">{ways.map((way) => (way ? <li key={way}>{way}</li> : null))}</ul>
      <p className="field-help">
        A reminder is the lift’s message again. Nobody gets two reminders a day, or one once they have {done}.
      </p>
    </>
  )
}
