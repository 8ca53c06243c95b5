/** One lift: read, answer, see what there is to say about it. Works before any script. */
import { Button } from '@radix-ui/themes'
import { Link } from '@remix-run/react'
import type { LiftPage, PagePrompt } from '#app/domain/lifts/page.ts'
import { Day } from '#app/ui/day.tsx'
import { Form } from '#app/ui/place-form.tsx'
import type { TypedAnswers } from './answer-names.ts'
import { Answered } from './answered.tsx'
import { Blocks } from './blocks.tsx'
import { PromptField } from './prompt-field.tsx'

type LiftScreenProps = {
  lift: LiftPage
  blocks: Parameters<typeof Blocks>[0]['blocks']
  /** The question that is being answered again. */
  again?: number | undefined
  /** The same key is the same submission, however often the button is pressed. */
  submissionKey: string
  typed?: TypedAnswers
  errors?: Record<string, string[]>
  /** Its rank, where the lift is only a part of a page. */
  heading?: 'h1' | 'h4'
}

export function LiftScreen(props: LiftScreenProps) {
  const { lift, blocks, again, submissionKey, typed = {}, errors = {}, heading: Heading = 'h1' } = props
  const open = lift.is_closed ? [] : lift.prompts.filter((prompt) => !prompt.answer || prompt.id === again)
  const closed = lift.prompts.filter((prompt) => !open.includes(prompt))
  const needsConfirming =
    !lift.completed_at &&
    !lift.is_closed &&
    (lift.completion_rule === 'viewed_and_confirmed' || !lift.prompts.some((prompt) => prompt.required))
  return (
    <article className="lift">
      <header>
        <p className="lift-quiet">
          {lift.journey.name} · {lift.est_minutes} min
        </p>
        <Heading className="lift-title">{lift.title}</Heading>
        <Progress {...lift.progress} />
      </header>
      <Blocks blocks={blocks} />
      {closed.map((prompt) => (
        <Answered key={prompt.id} prompt={prompt} sponsor={lift.sponsor} mayChange={!lift.is_closed} />
      ))}
      {open.length > 0 || needsConfirming ? (
        <Form method="post" action={`/lift/${lift.id}`} className="lift-form" preventScrollReset>
          <input type="hidden" name="key" value={submissionKey} />
          {errors.form ? (
            <p className="lift-wrong" role="alert">
              {errors.form.join(' ')}
            </p>
          ) : null}
          {open.map((prompt) => (
            <PromptField
              key={prompt.id}
              prompt={prompt}
              sponsor={lift.sponsor}
              typed={typed}
              errors={errors[`prompt_${prompt.id}`]}
            />
          ))}
          {needsConfirming ? <input type="hidden" name="complete" value="true" /> : null}
          <div className="lift-actions">
            <Button type="submit" size="4" disabled={lift.is_test}>
              {open.length > 0 ? 'Answer' : 'I have read this'}
            </Button>
          </div>
        </Form>
      ) : null}
      <Ending lift={lift} open={open} />
    </article>
  )
}

function Progress({ completed, total }: LiftPage['progress']) {
  if (total < 2) return null
  return (
    <p className="lift-progress">
      <progress value={completed} max={total} aria-label="Progress in the journey" />
      <span className="lift-quiet">
        {completed} of {total} lifts
      </span>
    </p>
  )
}

function Ending({ lift, open }: { lift: LiftPage; open: readonly PagePrompt[] }) {
  if (lift.is_test) return null
  if (lift.is_closed && !lift.completed_at)
    return <p className="lift-callout">This lift is closed. Answers are no longer taken.</p>
  if (open.length > 0 || !lift.completed_at) return null
  return (
    <footer className="lift-end">
      <p>
        <strong>Done.</strong>{' '}
        {lift.next ? (
          <>
            Next: {lift.next.title}
            {lift.next.due_at ? (
              <>
                , <Day at={lift.next.due_at} />
              </>
            ) : null}
            .
          </>
        ) : (
          'Nothing else is waiting in this journey.'
        )}
      </p>
      <p>
        <Link to="/todo">Your to-do list</Link>
      </p>
    </footer>
  )
}
