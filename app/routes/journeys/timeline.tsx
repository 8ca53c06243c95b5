/** The lifts of a journey in their order. */
import { Link } from '@remix-run/react'
import type { Timeline as TimelineData } from '#app/domain/journeys/timeline.ts'
import { describeRule } from '#app/domain/schedules/schedule.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Day } from '#app/ui/day.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Pager } from '#app/ui/pager.tsx'
import { useSearchLink } from '#app/ui/search.ts'
import { useDropping } from './grip.tsx'
import { inWords } from './journey-badge.tsx'
import { MoveLift, MoveLifts } from './move-lift.tsx'

type TimelineLift = TimelineData['lifts'][number]

type TimelineProps = Pick<TimelineData, 'lifts' | 'pagination'> & { mayEdit: boolean }

export function Timeline({ lifts, pagination, mayEdit }: TimelineProps) {
  const { current_page, per_page, total } = pagination
  const before = (current_page - 1) * per_page
  const { over, listeners } = useDropping()
  if (total === 0)
    return (
      <Empty title="No lifts yet" hint="A lift is one message, one short page and, mostly, one question." />
    )
  return (
    <MoveLifts>
      <ol className="timeline" start={before + 1} {...(mayEdit ? listeners : {})}>
        {lifts.map((lift, index) => (
          <li
            key={lift.id}
            className="timeline-lift"
            data-lift={lift.id}
            data-over={over === String(lift.id) ? '' : undefined}
          >
            <LiftCard lift={lift} mayEdit={mayEdit} />
            {mayEdit && total > 1 ? (
              <MoveLift lift={lift} isFirst={before + index === 0} isLast={before + index === total - 1} />
            ) : null}
          </li>
        ))}
      </ol>
      {total > per_page ? <Pager pagination={pagination} /> : null}
    </MoveLifts>
  )
}

function LiftCard({ lift, mayEdit }: { lift: TimelineLift; mayEdit: boolean }) {
  const link = useSearchLink()
  const { counts, prompts } = lift
  return (
    <>
      <h3 className="timeline-title">
        {mayEdit ? (
          <Link to={link({ lift: String(lift.id) })} preventScrollReset>
            {lift.title}
          </Link>
        ) : (
          lift.title
        )}
        <Badge tone={lift.status === 'ready' ? 'success' : 'neutral'}>{inWords(lift.status)}</Badge>
      </h3>
      <p className="timeline-facts">
        {describeRule(lift.schedule)} · {prompts === 1 ? '1 question' : `${prompts} questions`} ·{' '}
        {lift.est_minutes} min
      </p>
      {counts.assigned > 0 ? (
        <p className="timeline-facts">
          {counts.accepted} of {counts.assigned} sent · {counts.opened} opened · {counts.responded} answered ·{' '}
          {counts.completed} completed
          {counts.first_due_at ? (
            <>
              {' '}
              · from <Day at={counts.first_due_at} />
            </>
          ) : null}
        </p>
      ) : null}
      <p className="row-actions">
        <Link to={`/lift/t/${lift.id}`}>
          Test page<span className="hidden-words"> of {lift.title}</span>
        </Link>
        {mayEdit ? (
          <Link to={link({ remove: String(lift.id) })} preventScrollReset>
            Delete<span className="hidden-words"> {lift.title}</span>
          </Link>
        ) : null}
      </p>
    </>
  )
}
