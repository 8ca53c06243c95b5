/** The planning progress of a large journey; planning continues without the page. */

import type { Timeline } from '#app/domain/running/timeline.ts'
import { figures } from '#app/domain/text/figures.ts'
import { useRefresh } from '#app/ui/frame/use-refresh.ts'

const inFigures = (count: number) => figures(count)

export function PlanningProgress({ planning }: Pick<Timeline, 'planning'>) {
  useRefresh(planning !== null)
  if (!planning) return null
  const { people, done } = planning
  return (
    <section className="stack" aria-labelledby="planning">
      <h2 id="planning">Planning</h2>
      <noscript>
        <meta httpEquiv="refresh" content="5" />
      </noscript>
      <progress className="progress" max={people} value={done} aria-label="People who have their plan" />
      <p aria-live="polite">
        {inFigures(done)} of {inFigures(people)} people have their plan. This goes on by itself: you can leave
        the page.
      </p>
    </section>
  )
}
