/** Beside the timeline: what is next for the journey, and the ways to its other sides. */
import { ButtonLink } from '#app/ui/button.tsx'
import { useSearchLink } from '#app/ui/search.ts'
import { LaunchPanel } from './launch-panel.tsx'
import { PlanningProgress } from './planning-progress.tsx'
import { RunningPanel } from './running-panel.tsx'
import type { TimelineShown } from './schedule.server.ts'

export function ScheduleAside({ timeline }: { timeline: TimelineShown }) {
  const { journey } = timeline
  const link = useSearchLink()
  return (
    <aside className="aside">
      {journey.status === 'draft' && journey.may_edit ? <LaunchPanel {...timeline} /> : null}
      <PlanningProgress planning={timeline.planning} />
      <RunningPanel status={journey.status} mayEdit={journey.may_edit} />
      <section className="stack" aria-labelledby="about">
        <h2 id="about">Journey</h2>
        <ButtonLink to={`/lljs/${journey.id}/people`} variant="soft">
          Participants ({timeline.learners})
        </ButtonLink>
        <ButtonLink to={link({ objectives: 'true' })} variant="soft">
          Learning objectives
        </ButtonLink>
        <ButtonLink to={`/lljs/${journey.id}/assessments/`} variant="soft">
          Assessments
        </ButtonLink>
        <ButtonLink to={`/lljs/${journey.id}/details`} variant="soft">
          Journey details
        </ButtonLink>
        {journey.may_edit ? (
          <ButtonLink to={`/lljs/${journey.id}/learner`} variant="soft">
            See it as a learner
          </ButtonLink>
        ) : null}
        {journey.status === 'draft' ? null : (
          <ButtonLink to={`/analytics?journey=${journey.id}`} variant="soft">
            Analytics
          </ButtonLink>
        )}
      </section>
    </aside>
  )
}
