/** The card of a lift in the timeline: its time, its results, its actions. */
import type { ReactNode } from 'react'
import { isClosed, type JourneyStatus } from '#app/domain/journeys/journey-status.ts'
import { atTime, describeRule } from '#app/domain/lifts/describe-rule.ts'
import { formatDate } from '#app/domain/text/date-format.ts'
import { figures } from '#app/domain/text/figures.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Link } from '#app/ui/link.tsx'
import { useScheduleAddress } from './address.ts'
import { LiftProgress } from './lift-progress.tsx'
import type { TimelineShown } from './timeline-shown.ts'

type TimelineLift = TimelineShown['lifts'][number]

const WEEKDAY = { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' } as const

type LiftCardProps = {
  lift: TimelineLift
  day: string | null
  today: string
  journey: JourneyStatus
  mayEdit: boolean
  maySend: boolean
  /** The channels, in words. */
  by: string
  children: ReactNode
}

export function LiftCard({ lift, day, today, journey, mayEdit, maySend, by, children }: LiftCardProps) {
  const { liftTo } = useScheduleAddress()
  const { counts } = lift
  return (
    <>
      <h3 className="timeline-title">
        {mayEdit ? <Link to={liftTo(lift.id)}>{isolated(lift.title)}</Link> : isolated(lift.title)}
        <LiftProgress status={lift.status} counts={counts} journey={journey} />
      </h3>
      <WhenItComes {...{ lift, day, today, journey, by }} />
      {counts.assigned > 0 ? (
        <p className="timeline-facts">
          {inFigures(counts)}
          <WhyFailed lift={lift} />
          <WhoIsMissing lift={lift} />
        </p>
      ) : null}
      {lift.held > 0 ? <p className="timeline-held">{inNumber(lift.held)}</p> : null}
      {mayEdit && lift.unknown_messages > 0 ? (
        <p className="timeline-held">
          {lift.unknown_messages === 1 ? '1 message' : `${inCount(lift.unknown_messages)} messages`} may not
          have arrived. <Link to={`/messages/unconfirmed?lift=${lift.id}`}>Decide what happens</Link>
        </p>
      ) : null}
      <div className="row-actions timeline-actions">
        {children}
        {maySend ? <SendLinks lift={lift} /> : null}
        <Link to={`/lift/t/${lift.id}`}>
          Test page<span className="hidden-words">{` of ${isolated(lift.title)}`}</span>
        </Link>
        {mayEdit ? (
          <Link className="dangerous" to={liftTo(lift.id, '/delete')}>
            Delete<span className="hidden-words">{` ${isolated(lift.title)}`}</span>
          </Link>
        ) : null}
      </div>
    </>
  )
}

/** Time, size and channels of a lift; the date of its rule is shown only where the lift comes on another day. */
function WhenItComes({
  lift,
  day,
  today,
  journey,
  by,
}: Omit<LiftCardProps, 'mayEdit' | 'maySend' | 'children'>) {
  const { schedule, prompts, counts, est_minutes } = lift
  const isDated = schedule.kind === 'absolute' && schedule.date === day
  const facts = [prompts === 1 ? '1 question' : `${prompts} questions`, `${est_minutes} min`, by]
  return (
    <p className="timeline-facts">
      {day ? <time dateTime={day}>{inWeek(day, today)}</time> : null}
      {isDated ? atTime(schedule.time) : null}
      {day ? ' · ' : null}
      {day && day < today && counts.assigned === 0 && lift.status !== 'retired' && !isClosed(journey) ? (
        <>
          <strong>in the past</strong>
          {' · '}
        </>
      ) : null}
      {(isDated ? facts : [describeRule(schedule), ...facts]).join(' · ')}
    </p>
  )
}

function SendLinks({ lift: { id, title, prompts, counts } }: { lift: TimelineLift }) {
  const { liftTo } = useScheduleAddress()
  return (
    <>
      <Link to={liftTo(id, '/send')}>
        Send now<span className="hidden-words">{`: ${isolated(title)}`}</span>
      </Link>
      {counts.accepted > Math.max(counts.responded, counts.completed) ? (
        <Link to={liftTo(id, '/remind')}>
          Remind
          <span className="hidden-words">
            {` those who have not ${prompts > 0 ? 'answered' : 'completed'} ${isolated(title)}`}
          </span>
        </Link>
      ) : null}
    </>
  )
}

/** A link to learners who have not answered; unlike analytics, the counts of a card include people excluded from analytics. */
function WhoIsMissing({ lift: { id, title, prompts, counts } }: { lift: TimelineLift }) {
  const [figure, done, words] =
    prompts > 0
      ? (['response', counts.responded, 'Who has not answered'] as const)
      : (['completion', counts.completed, 'Who has not completed it'] as const)
  // Nobody is missing while nothing was due.
  if (counts.accepted + counts.failed === 0 || done >= counts.assigned) return null
  return (
    <>
      {' · '}
      <Link to={`/analytics/explain?figure=${figure}&outcome=no&lift=${id}`}>
        {words}
        <span className="hidden-words">{`: ${isolated(title)}`}</span>
      </Link>
    </>
  )
}

function WhyFailed({ lift: { id, title, counts } }: { lift: TimelineLift }) {
  if (counts.failed === 0) return null
  return (
    <>
      {' · '}
      <Link to={`/analytics/explain?figure=coverage&outcome=no&lift=${id}`}>
        {inCount(counts.failed)} failed: why<span className="hidden-words">{`: ${isolated(title)}`}</span>
      </Link>
    </>
  )
}

const inFigures = ({ assigned, accepted, unknown, ...more }: TimelineLift['counts']): string =>
  [
    `${inCount(accepted)} of ${inCount(assigned)} sent`,
    ...(unknown > 0 ? [`${inCount(unknown)} unconfirmed`] : []),
    `${inCount(more.opened)} opened`,
    `${inCount(more.responded)} answered`,
    `${inCount(more.completed)} completed`,
  ].join(' · ')

const inCount = (many: number): string => figures(many)

const inNumber = (held: number): string =>
  `Held for ${held === 1 ? '1 person' : `${figures(held)} people`} until somebody sends it.`

/** The year is shown only if it is not the current one. */
function inWeek(day: string, today: string): string {
  const year = day.slice(0, 4)
  const date = formatDate(new Date(`${day}T00:00:00Z`), WEEKDAY)
  return year === today.slice(0, 4) ? date : `${date}, ${year}`
}
