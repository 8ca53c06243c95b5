/** Links to the preview of the schedule, and to the next steps of the journey. */
import type { JourneyStatus } from '#app/domain/journeys/journey-status.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { useScheduleAddress } from './address.ts'
import { OFFERED, STEP_NAMES } from './lifecycle.ts'

export function LifecyclePanel({ status, mayEdit }: { status: JourneyStatus; mayEdit: boolean }) {
  const { to } = useScheduleAddress()
  return (
    <section className="stack" aria-labelledby="running">
      <h2 id="running">Schedule</h2>
      <ButtonLink to={to('preview')} variant="soft">
        Preview schedule
      </ButtonLink>
      {mayEdit
        ? OFFERED[status].map((step) => (
            <ButtonLink key={step} to={to(step)} variant="soft" color="gray" preventScrollReset>
              {STEP_NAMES[step]}
            </ButtonLink>
          ))
        : null}
    </section>
  )
}
