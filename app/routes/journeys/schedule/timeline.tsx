import type { ReactNode } from 'react'
import { CHANNEL_WORDS } from '#app/domain/journeys/channel.ts'
import { byWeek, type Week } from '#app/domain/planning/weeks.ts'
import { dayInWords } from '#app/domain/text/date-format.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Pager } from '#app/ui/list/pager.tsx'
import { isSendable } from '../sendable.ts'
import { useOrdering } from './grip.tsx'
import { LiftCard } from './lift-card.tsx'
import { MoveLift, MoveLifts } from './move-lift.tsx'
import type { TimelineShown } from './timeline-shown.ts'

type TimelineLift = TimelineShown['lifts'][number]

type TimelineProps = Pick<TimelineShown, 'lifts' | 'pagination' | 'journey'> & {
  mayEdit: boolean
  /** Today in the journey's time zone, as YYYY-MM-DD. */
  today: string
}

export function LiftTimeline({ lifts, pagination, journey, mayEdit, today }: TimelineProps) {
  const { current_page, per_page, total } = pagination
  const before = (current_page - 1) * per_page
  const by = `by ${journey.channels.map((channel) => CHANNEL_WORDS[channel]).join(' or ')}`
  const { over, listeners } = useOrdering(lifts.map(({ id }) => id).join())
  if (total === 0)
    return (
      <Empty title="No lifts yet" hint="A lift is one message, one short page and usually one question." />
    )
  return (
    <MoveLifts order={journey.order_version}>
      <div className="timeline" {...(mayEdit ? listeners : {})}>
        {byWeek(lifts, { start_on: journey.start_on, zone: journey.timezone }, today).map((week) => (
          <TimelineWeek key={week.lifts[0]?.lift.id} week={week}>
            <ol
              className="timeline-lifts"
              start={before + lifts.indexOf(week.lifts[0]?.lift as TimelineLift) + 1}
            >
              {week.lifts.map(({ lift, day }) => (
                <li
                  key={lift.id}
                  id={`lift-${lift.id}`}
                  className="timeline-lift"
                  data-lift={lift.id}
                  data-over={over === String(lift.id) ? '' : undefined}
                >
                  <LiftCard
                    {...{ lift, day, today, mayEdit, by }}
                    journey={journey.status}
                    maySend={mayEdit && isSendable(journey, lift)}
                  >
                    {mayEdit && total > 1 ? (
                      <MoveLift
                        lift={lift}
                        isFirst={before + lifts.indexOf(lift) === 0}
                        isLast={before + lifts.indexOf(lift) === total - 1}
                      />
                    ) : null}
                  </LiftCard>
                </li>
              ))}
            </ol>
          </TimelineWeek>
        ))}
      </div>
      {total > per_page ? <Pager pagination={pagination} /> : null}
      {lifts.some(({ counts }) => counts.assigned > 0) ? (
        <p className="timeline-facts">
          These counts include people who are excluded from analytics; the reports leave them out.
        </p>
      ) : null}
    </MoveLifts>
  )
}

/** A week of the timeline, with gaps before it and the place of today. */
function TimelineWeek({ week, children }: { week: Week<TimelineLift>; children: ReactNode }) {
  const { monday, gap, today } = week
  return (
    <div className="timeline-week">
      {gap > 0 ? (
        <p className="timeline-gap">{gap === 1 ? 'A week without lifts' : `${gap} weeks without lifts`}</p>
      ) : null}
      {today === 'before' ? <p className="timeline-today">Today</p> : null}
      <p className="timeline-label">
        {monday ? <>Week of {dayInWords(monday)}</> : 'Without a fixed date'}
        {today === 'inside' ? <span className="timeline-today">Today</span> : null}
      </p>
      {children}
    </div>
  )
}
