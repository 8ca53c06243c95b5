/** Running journeys, lifts awaiting answers, and drafts to finish. */

import type { JourneyStatus } from '#app/domain/journeys/journey-status.ts'
import { figures } from '#app/domain/text/figures.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import type { Work } from '#app/domain/today/today.ts'
import { JourneyBadge } from '#app/routes/journeys/journey-badge.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Link } from '#app/ui/link.tsx'
import { counted } from './counted.ts'
import { listOf, UNDER_WAY } from './under-way-search.ts'

type UnderWayProps = { work: Work; may_create: boolean }

export function UnderWay({ work, may_create }: UnderWayProps) {
  const { running, running_total, drafts, drafts_total, unanswered } = work
  return (
    <>
      <section className="section" aria-labelledby="under-way">
        <h2 id="under-way">Running journeys</h2>
        {running.length > 0 ? (
          <JourneyTiles journeys={running} />
        ) : (
          <NothingRuns drafts={drafts} may_create={may_create} />
        )}
        <SeeAll shown={running.length} total={running_total} to={listOf(UNDER_WAY)} />
        {may_create && running.length + drafts.length > 0 ? (
          <ButtonLink to="/lljs/manage/new" variant="soft">
            Create New LLJ
          </ButtonLink>
        ) : null}
      </section>
      {unanswered.length > 0 ? (
        <section className="section" aria-labelledby="unanswered">
          <h2 id="unanswered">Not answered yet</h2>
          <ul className="todo">
            {unanswered.map((lift) => (
              <UnansweredItem key={lift.id} lift={lift} />
            ))}
          </ul>
        </section>
      ) : null}
      {drafts.length > 0 ? (
        <section className="section" aria-labelledby="drafts">
          <h2 id="drafts">Drafts to finish</h2>
          <JourneyTiles journeys={drafts} />
          <SeeAll shown={drafts.length} total={drafts_total} to={listOf(['draft'])} />
        </section>
      ) : null}
    </>
  )
}

function UnansweredItem({
  lift: { id, title, journey, sent, unanswered },
}: {
  lift: Work['unanswered'][number]
}) {
  return (
    <li className="todo-item">
      <span className="todo-words">
        <span className="todo-title">{isolated(title)}</span>
        <span className="todo-hint">
          {isolated(journey.name)}:{' '}
          <Link to={`/analytics/explain?figure=response&outcome=waiting&lift=${id}`}>
            {figures(unanswered)} of {figures(sent)} have not answered
            <span className="hidden-words">{` ${isolated(title)}`}</span>
          </Link>
        </span>
      </span>
      <Link to={`/lljs/${journey.id}/lifts/${id}/remind`}>
        Remind<span className="hidden-words">{` those who have not answered ${isolated(title)}`}</span>
      </Link>
    </li>
  )
}

function JourneyTiles({ journeys }: { journeys: Work['running'] }) {
  return (
    <ul className="tiles">
      {journeys.map(({ id, name, status, lifts, learners }) => (
        <li key={id}>
          <Link className="tile" to={`/lljs/${id}/schedule`}>
            <span className="tile-title tile-title-apart">
              {isolated(name)}
              <JourneyBadge status={status as JourneyStatus} />
            </span>
            <span className="tile-hint">
              {count(lifts, 'lift')}, {count(learners, 'learner')}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

const count = (number: number, thing: string): string =>
  `${figures(number)} ${number === 1 ? thing : `${thing}s`}`

function SeeAll({ shown, total, to }: { shown: number; total: number; to: string }) {
  if (total <= shown) return null
  return (
    <ButtonLink to={to} variant="soft">
      See all {counted(total)}
    </ButtonLink>
  )
}

function NothingRuns({ drafts, may_create }: { drafts: Work['drafts']; may_create: boolean }) {
  const [draft] = drafts
  if (draft)
    return (
      <Empty
        title="No journey is running"
        hint="A draft starts running once its lifts are ready, it has learners, and you launch it."
        action={<ButtonLink to={`/lljs/${draft.id}/schedule`}>Continue with {draft.name}</ButtonLink>}
      />
    )
  if (may_create)
    return (
      <Empty
        title="No journey is running"
        hint="Create one: name it, add lifts, invite people."
        action={<ButtonLink to="/lljs/manage/new">Create New LLJ</ButtonLink>}
      />
    )
  return (
    <Empty
      title="You have no journeys yet"
      hint="When an administrator makes you the author of a journey, it appears here."
      action={
        <ButtonLink to="/analytics" variant="soft">
          Open Analytics
        </ButtonLink>
      }
    />
  )
}
