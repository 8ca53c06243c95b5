/** The next steps of the journey, beside the timeline. */
import { ButtonLink } from '#app/ui/button.tsx'
import { LaunchPanel, learnersIn } from './launch-panel.tsx'
import { LifecyclePanel } from './lifecycle-panel.tsx'
import { PlanningProgress } from './planning-progress.tsx'
import type { TimelineShown } from './timeline-shown.ts'

export function ScheduleAside({ timeline }: { timeline: TimelineShown }) {
  const { journey } = timeline
  return (
    <aside className="aside">
      {journey.status === 'draft' && journey.may_edit ? <LaunchPanel {...timeline} /> : null}
      <PlanningProgress planning={timeline.planning} />
      <LifecyclePanel status={journey.status} mayEdit={journey.may_edit} />
      <section className="stack" aria-labelledby="about">
        <h2 id="about">Learners</h2>
        <ButtonLink to={`/lljs/${journey.id}/people`} variant="soft">
          {learnersIn(timeline.learners)}
        </ButtonLink>
        {journey.may_edit ? (
          <ButtonLink to={`/lljs/${journey.id}/learner`} variant="soft">
            View as a learner
          </ButtonLink>
        ) : null}
      </section>
    </aside>
  )
}
