/** A lift before it is due, and the end of one after its questions. */

import type { LiftPage, PagePrompt } from '#app/domain/lifts/page.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Day } from '#app/ui/day.tsx'
import { Link } from '#app/ui/link.tsx'

/** The learner's own lift before it is due, or one that will never come. */
export function Unopened({ lift }: { lift: LiftPage }) {
  return (
    <article className="lift">
      <header>
        <p className="lift-quiet" dir="auto">
          {lift.journey.name}
        </p>
        <h1 className="lift-title" dir="auto">
          {lift.title}
        </h1>
      </header>
      <p className="lift-callout">
        {lift.has_ended ? (
          'This journey ended before this lift was sent.'
        ) : lift.is_closed ? (
          'This lift no longer comes: the one it was to follow has closed.'
        ) : lift.not_yet?.due_at ? (
          <>
            This lift arrives <Day at={lift.not_yet.due_at} zone={lift.zone} timed />.
          </>
        ) : (
          'This lift comes later. We’ll let you know when it’s ready.'
        )}
      </p>
      <p>
        <Link to={`/lljs/${lift.journey.id}/learner`}>Your journey</Link> ·{' '}
        <Link to="/todo">Your to-do list</Link>
      </p>
    </article>
  )
}

type EndingProps = {
  lift: LiftPage
  open: readonly PagePrompt[]
  /** The page already says why nothing can be answered. */
  isRefused: boolean
}

export function Ending({ lift, open, isRefused }: EndingProps) {
  if (lift.is_test) return null
  return (
    <footer className="lift-end">
      {lift.is_closed && isRefused ? null : <Outcome lift={lift} isOpen={open.length > 0} />}
      <p>
        <Link to="/todo">Your to-do list</Link>
      </p>
    </footer>
  )
}

function Outcome({ lift, isOpen }: { lift: LiftPage; isOpen: boolean }) {
  if (lift.is_closed && !lift.completed_at)
    return (
      <p className="lift-callout">
        {lift.has_ended ? 'This journey has ended' : 'This lift is closed'}: you can no longer answer it.
      </p>
    )
  if (isOpen || !lift.completed_at) return null
  return (
    <p>
      <strong>Done.</strong>{' '}
      {lift.next ? <Next next={lift.next} zone={lift.zone} /> : 'Nothing else is waiting in this journey.'}
    </p>
  )
}

function Next({ next, zone }: { next: NonNullable<LiftPage['next']>; zone: string }) {
  if (next.is_open)
    return (
      <>
        Next: {isolated(next.title)}. <Link to={`/lift/${next.id}`}>Open it</Link>
      </>
    )
  return (
    <>
      Next: {isolated(next.title)}
      {next.due_at ? (
        <>
          , <Day at={next.due_at} zone={zone} timed />
        </>
      ) : (
        ', later'
      )}
      .
    </>
  )
}
