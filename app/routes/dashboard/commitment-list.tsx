/** The list of a person's commitments, to be marked as done, changed or dropped. */

import type { Commitment } from '#app/domain/lifts/commitment.ts'
import { dayInWords } from '#app/domain/text/date-format.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { CommitmentHistory } from '#app/ui/commitment-history.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'

/** Recently ended commitments, which can be reopened. */
export function SettledCommitments({ commitments }: { commitments: readonly Commitment[] }) {
  return (
    <details className="more">
      <summary>Closed recently ({commitments.length})</summary>
      <ul className="todo">
        {commitments.map(({ id, what, state, journey, history }) => (
          <li key={id} className="todo-item">
            <span className="todo-words">
              <span className="todo-title">I will {isolated(what)}</span>
              <span className="todo-hint">
                {isolated(journey.name)}: {state === 'done' ? 'done' : 'dropped'}
              </span>
              <CommitmentHistory history={history} />
            </span>
            <Form method="post" className="row-actions">
              <input type="hidden" name="commitment" value={id} />
              <Button type="submit" name="state" value="open" variant="soft" color="gray">
                Reopen<span className="hidden-words">: {isolated(what)}</span>
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </details>
  )
}

type CommitmentListProps = {
  commitments: readonly Commitment[]
  /** The URL that handles the buttons, if not this page. */
  action?: string
}

export function CommitmentList({ commitments, action }: CommitmentListProps) {
  return (
    <section className="section" aria-labelledby="commitments">
      <h2 id="commitments">Commitments</h2>
      <ul className="todo">
        {commitments.map((commitment) => (
          <OpenCommitment key={commitment.id} commitment={commitment} action={action} />
        ))}
      </ul>
    </section>
  )
}

type OpenCommitmentProps = { commitment: Commitment; action: string | undefined }

function OpenCommitment({ commitment, action }: OpenCommitmentProps) {
  const { id, what, by_on, journey, lift_id, prompt_id, acknowledged_at, history } = commitment
  const { is_late, is_answerable } = commitment
  return (
    <li className="todo-item">
      <div className="todo-words">
        <span className="todo-title">I will {isolated(what)}</span>
        <span className="todo-hint">
          {isolated(journey.name)}, by {dayInWords(by_on)}{' '}
          {is_late ? <Badge tone="warning">Overdue</Badge> : null}
          {acknowledged_at ? ' Your sponsor saw it.' : null}
        </span>
        <CommitmentHistory history={history} />
        <Form method="post" {...(action ? { action } : {})} className="row-actions row-actions-start">
          <input type="hidden" name="commitment" value={id} />
          <Button type="submit" name="state" value="done" variant="soft">
            Done<span className="hidden-words">: {isolated(what)}</span>
          </Button>
          {is_answerable ? (
            <ButtonLink
              to={`/lift/${lift_id}?again=${prompt_id}#prompt-${prompt_id}`}
              variant="soft"
              color="gray"
            >
              Change<span className="hidden-words"> “{isolated(what)}”</span>
            </ButtonLink>
          ) : null}
          <Button type="submit" name="state" value="dropped" variant="soft" color="gray">
            Drop<span className="hidden-words"> “{isolated(what)}”</span>
          </Button>
        </Form>
      </div>
    </li>
  )
}
