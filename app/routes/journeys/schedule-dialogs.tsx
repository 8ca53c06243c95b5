/** The dialogs over the schedule: one at a time, as the address says. */
import type { ComponentProps } from 'react'
import type { Lift } from '#app/domain/lifts/lift.ts'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { useRefused } from '#app/ui/refused.ts'
import { useSearchLink } from '#app/ui/search.ts'
import { AuthoringDialog, isAuthoring } from './authoring-dialog.tsx'
import { ConfirmChange, ImpactNumbers, useAsked } from './impact-question.tsx'
import { ConfirmLaunch } from './launch-panel.tsx'
import { LiftEditor } from './lift-editor.tsx'
import { Phone } from './phone.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { RetiredLift } from './retired-lift.tsx'
import { ConfirmStep } from './running-panel.tsx'
import type { ScheduleData } from './schedule.server.ts'
import { timelineHref } from './schedule-search.ts'
import { isSendable, SendNow } from './send-now.tsx'
import { SendTest } from './send-test.tsx'

export function ScheduleDialogs(shown: ScheduleData) {
  const { running, search, authoring, timeline, lift, mayEdit } = shown
  const refused = useRefused()
  const { journey, pagination } = timeline
  const closeHref = timelineHref(journey.id, pagination.current_page)
  const { again } = useAsked()
  const link = useSearchLink()
  if (again) return <ConfirmChange title={titleOf(again, lift)} cancelHref={link({})} />
  if (isAuthoring(authoring.subject))
    return (
      <AuthoringDialog
        {...authoring}
        lift={lift}
        mayEdit={mayEdit}
        closeHref={timelineHref(journey.id)}
        {...refused}
      />
    )
  if (running.foreseen)
    return <PreviewDialog foreseen={running.foreseen} journey={journey} closeHref={closeHref} />
  if (journey.may_edit && running.ask)
    return (
      <ConfirmStep ask={running.ask} name={journey.name} status={journey.status} cancelHref={closeHref} />
    )
  if (mayEdit && lift && (search.send || search.test))
    return <ByHandDialog {...shown} lift={lift} closeHref={closeHref} lastResult={refused.lastResult} />
  // What was typed is shown again even where it can no longer be saved.
  return mayEdit || refused.lastResult ? <EditingDialogs {...shown} closeHref={closeHref} /> : null
}

function titleOf(again: Record<string, string>, lift: ScheduleData['lift']): string {
  if (again.intent === 'move-lift') return 'Change the order?'
  const name = lift?.title ?? 'this lift'
  if (again.way !== 'remove') return `Change ${name}?`
  return `Remove this ${again.intent === 'change-prompts' ? 'question' : 'part'} from ${name}?`
}

type ByHandProps = ScheduleData & {
  lift: Lift
  closeHref: string
  lastResult: ReturnType<typeof useRefused>['lastResult']
}

/** Those that send something. */
function ByHandDialog({ timeline, lift, byHand, submissionKey, closeHref, lastResult }: ByHandProps) {
  const { journey } = timeline
  if (!byHand)
    return (
      <SendTest
        {...{ lift, submissionKey, lastResult }}
        backHref={`${timelineHref(journey.id)}?lift=${lift.id}`}
      />
    )
  return isSendable(journey, lift) ? <SendNow {...{ lift, byHand, submissionKey, closeHref }} /> : null
}

/** Those that change something. */
function EditingDialogs({ closeHref, ...shown }: ScheduleData & { closeHref: string }) {
  const { running, search, authoring, timeline, today, lift, phone, names } = shown
  const refused = useRefused()
  const { journey } = timeline
  if (search.launch && timeline.forecast)
    return (
      <ConfirmLaunch
        timeline={timeline}
        forecast={timeline.forecast}
        skipPast={search.launch === 'skip'}
        cancelHref={closeHref}
      />
    )
  if (lift && search.remove === lift.id)
    return (
      <ConfirmDialog
        title={`Delete ${lift.title}?`}
        message={
          <>
            {running.impact ? <ImpactNumbers impact={running.impact} /> : null}
            <p>A lift that was sent already is kept for the figures and sent to nobody else.</p>
          </>
        }
        continueText="Yes, delete"
        cancelHref={closeHref}
        variant="error"
        fields={{ intent: 'remove-lift', lift_id: lift.id, lock_version: lift.lock_version }}
      />
    )
  if (lift || search.create || refused.lastResult)
    return (
      <LiftDialog
        key={lift?.id ?? 'new'}
        lift={lift}
        others={names.filter((one) => one.id !== lift?.id)}
        objectives={authoring.objectives}
        journey={journey.name}
        mayBeSent={lift !== undefined && isSendable(journey, lift)}
        today={journey.status === 'draft' ? today : undefined}
        rule={timeline.next_rule}
        phone={phone && lift ? <Phone page={phone} message={lift.sms_text} /> : null}
        closeHref={closeHref}
        {...refused}
      />
    )
  return null
}

/** What was typed is shown again also where it was retired meanwhile. */
const LiftDialog = (props: ComponentProps<typeof LiftEditor>) =>
  props.lift?.status === 'retired' && !props.lastResult ? (
    <RetiredLift lift={props.lift} closeHref={props.closeHref} />
  ) : (
    <LiftEditor {...props} />
  )
