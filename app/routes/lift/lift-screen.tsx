/** The page of a lift: read, answer, and get feedback. Works without scripts. */

import type { LiftPage, PagePrompt } from '#app/domain/lifts/page.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Button } from '#app/ui/button.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { type TypedAnswers, wordsOf } from './answer-names.ts'
import { Answered } from './answered.tsx'
import { Blocks } from './blocks.tsx'
import { Ending, Unopened } from './lift-ends.tsx'
import { PromptField } from './prompt-field.tsx'
import { Left, refusedIn, Wrong } from './refused-answers.tsx'
import { useDraft } from './use-draft.ts'

type LiftScreenProps = {
  lift: LiftPage
  blocks: Parameters<typeof Blocks>[0]['blocks']
  /** The question whose answer is being changed. */
  again?: number | undefined
  /** The person whose drafts this browser keeps. */
  reader?: number
  typed?: TypedAnswers
  errors?: Record<string, string[]>
  /** The level of its heading, if the lift is only part of a page. */
  heading?: 'h1' | 'h3'
}

export const LiftScreen = (props: LiftScreenProps) =>
  props.lift.not_yet || props.lift.state === 'cancelled' ? (
    <Unopened lift={props.lift} />
  ) : (
    <OpenLift {...props} />
  )

function OpenLift(props: LiftScreenProps) {
  const { lift, blocks, again, typed = {}, errors = {}, heading: rank } = props
  const draft = useDraft(lift, props.reader, props.typed !== undefined)
  const open = openIn(lift, again, refusedIn(typed, errors))
  const closed = lift.prompts.filter((prompt) => !open.includes(prompt))
  const needsConfirming =
    !lift.completed_at &&
    !lift.is_closed &&
    (lift.completion_rule === 'viewed_and_confirmed' || !lift.prompts.some((prompt) => prompt.required))
  return (
    <article className="lift">
      <Heading lift={lift} rank={rank} />
      <Wrong errors={errors} open={open} />
      <Blocks blocks={blocks} />
      {closed.map((prompt) => (
        <Answered key={prompt.id} prompt={prompt} sponsor={lift.sponsor} mayChange={!lift.is_closed} />
      ))}
      <Left words={props.typed ? wordsOf(typed, open) : draft.left} lift={lift} onDismiss={draft.forget} />
      {open.length > 0 || needsConfirming ? (
        <Form
          ref={draft.form}
          method="post"
          action={`/lift/${lift.id}`}
          className="lift-form"
          preventScrollReset
          onInput={draft.keep}
        >
          {draft.isBack ? (
            <p className="lift-callout" role="status">
              We restored what you typed. It hasn’t been sent yet.
            </p>
          ) : null}
          {closed.length > 0 ? <StillOpen questions={open.length} /> : null}
          <Asked prompts={open} />
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
          <div className={open.length > 1 ? 'lift-actions lift-actions-after' : 'lift-actions'}>
            <Button type="submit" size="4" disabled={lift.is_test}>
              {open.length > 0 ? 'Answer' : 'I have read this'}
            </Button>
          </div>
        </Form>
      ) : null}
      <Ending lift={lift} open={open} isRefused={errors.form !== undefined} />
    </article>
  )
}

const openIn = ({ is_closed, prompts }: LiftPage, again: number | undefined, refused: Set<number>) =>
  is_closed ? [] : prompts.filter(({ id, answer }) => !answer || id === again || refused.has(id))

function Heading({ lift, rank: Rank = 'h1' }: { lift: LiftPage; rank: LiftScreenProps['heading'] }) {
  return (
    <header>
      <p className="lift-quiet">
        {isolated(lift.journey.name)} · {lift.est_minutes} min
      </p>
      <Rank className="lift-title" dir="auto">
        {lift.title}
      </Rank>
      <Progress {...lift.progress} />
    </header>
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

/** Marks required questions in the form itself, since browsers cannot require one of several boxes. */
const Asked = ({ prompts }: { prompts: readonly PagePrompt[] }) =>
  prompts
    .filter((prompt) => prompt.required)
    .map(({ id }) => <input key={id} type="hidden" name="asked" value={id} />)

function StillOpen({ questions }: { questions: number }) {
  if (questions === 0) return null
  return (
    <p className="lift-quiet">
      {questions === 1 ? 'One question is still open.' : `${questions} questions are still open.`}
    </p>
  )
}
