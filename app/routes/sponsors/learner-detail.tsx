/** One learner, for their sponsor: an encouragement, their commitments, and the answers that sponsors may read. */
import { useSearchParams } from '@remix-run/react'
import type { Commitment } from '#app/domain/lifts/commitment.ts'
import { type LearnerForSponsor, MAX_LETTERS, SUGGESTED_WORDS } from '#app/domain/sponsors/sponsored.ts'
import { dayInWords } from '#app/domain/text/date-format.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { AnsweredLiftReport } from '#app/ui/answered-lift.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { CommitmentHistory } from '#app/ui/commitment-history.tsx'
import { Day } from '#app/ui/day.tsx'
import { Counter, RequiredMark, useTyped } from '#app/ui/form/field-head.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Link } from '#app/ui/link.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { NoRows } from '#app/ui/list/no-rows.tsx'
import { Pager } from '#app/ui/list/pager.tsx'

type Refused = { problem: string; text: string } | undefined
type LearnerDetailProps = { shown: LearnerForSponsor; q: string; refused: Refused }

export function LearnerDetail({ shown, q, refused }: LearnerDetailProps) {
  const { journey, learner, commitments, data, pagination } = shown
  return (
    <>
      <div className="section">
        <p>
          <Link to={`/sponsors-journey/${journey.id}`}>All your learners</Link>
        </p>
        <p>
          {learner.completed} of {learner.come} {learner.come === 1 ? 'lift' : 'lifts'} so far completed
          {learner.overdue > 0 ? `, ${learner.overdue} overdue` : null}.{' '}
          {learner.last_activity ? (
            <>
              Last active <Day at={learner.last_activity} />.
            </>
          ) : (
            'Not active yet.'
          )}
        </p>
      </div>
      {journey.status === 'archived' && !refused ? null : <Encourage shown={shown} refused={refused} />}
      {commitments.length > 0 ? (
        <section className="section" aria-labelledby="commitments">
          <h2 id="commitments">Commitments</h2>
          <ul className="todo">
            {commitments.map((one) => (
              <CommitmentItem key={one.id} commitment={one} learner={learner.user_id} />
            ))}
          </ul>
        </section>
      ) : null}
      <section className="section" aria-labelledby="lifts">
        <h2 id="lifts">Lifts and answers</h2>
        <p className="report-quiet">You see only answers that learners were told their sponsor can read.</p>
        <FilterBar q={q} placeholder="Search lifts and answers" />
        {data.map((lift) => (
          <AnsweredLiftReport key={lift.lift_id} lift={lift} />
        ))}
        {data.length === 0 ? (
          <NoRows
            pagination={pagination}
            hint={
              q ? 'No lift and no answer contains these words.' : 'Lifts appear here once they are planned.'
            }
          />
        ) : null}
        <Pager pagination={pagination} />
      </section>
    </>
  )
}

function Encourage({ shown: { learner }, refused }: { shown: LearnerForSponsor; refused: Refused }) {
  const wanted = useSearchParams()[0].get('words')
  const suggested = SUGGESTED_WORDS.find((words) => words === wanted)
  const { typed, box } = useTyped(refused?.text ?? suggested)
  if (learner.encouraged_today && !refused)
    return (
      <section className="section" aria-labelledby="encourage">
        <h2 id="encourage">Encourage</h2>
        <p role="status">You wrote to {isolated(learner.name)} today. You can write again tomorrow.</p>
      </section>
    )
  return (
    <section className="section" aria-labelledby="encourage">
      <h2 id="encourage">Encourage</h2>
      <Form method="post" className="sponsor-form">
        <input type="hidden" name="learner" value={learner.user_id} />
        {refused ? (
          <p className="form-errors" role="alert" id="wrong" data-accent-color="red">
            {refused.problem}
          </p>
        ) : null}
        <div className="field">
          <div className="field-head">
            <label className="field-label" htmlFor="words">
              A few words to {isolated(learner.name)}
              <RequiredMark />
            </label>
            <Counter max={MAX_LETTERS} value={typed} />
          </div>
          <textarea
            key={suggested}
            {...box}
            className="input input-area"
            id="words"
            name="text"
            rows={3}
            maxLength={MAX_LETTERS}
            required
            aria-describedby={refused ? 'wrong about-words' : 'about-words'}
          />
        </div>
        <p className="report-quiet" id="about-words">
          Once a day, at most {MAX_LETTERS} characters, no links. It appears in {isolated(learner.name)}’s
          notifications right away. It also goes out by text if the journey sends texts and{' '}
          {isolated(learner.name)} has agreed to them, otherwise by e-mail. During quiet hours it waits until
          morning.
        </p>
        <details>
          <summary>{suggested ? 'Use other words instead' : 'Begin with our words'}</summary>
          <ul>
            {SUGGESTED_WORDS.filter((words) => words !== suggested).map((words) => (
              <li key={words}>
                <Link to={`?${new URLSearchParams({ learner: String(learner.user_id), words })}`}>
                  {words}
                </Link>
              </li>
            ))}
          </ul>
        </details>
        <div>
          <Button type="submit" name="intent" value="encourage">
            Send encouragement
          </Button>
        </div>
      </Form>
    </section>
  )
}

const STATES = { open: 'Open', done: 'Done', dropped: 'Dropped' } as const

function CommitmentItem({ commitment, learner }: { commitment: Commitment; learner: number }) {
  const { id, what, by_on, state, is_late, acknowledged_at, history } = commitment
  return (
    <li className="todo-item">
      <span className="todo-words">
        <span className="todo-title">I will {isolated(what)}</span>
        <span className="todo-hint">
          By {dayInWords(by_on)}{' '}
          <Badge tone={is_late ? 'warning' : 'neutral'}>{is_late ? 'Overdue' : STATES[state]}</Badge>
        </span>
        <CommitmentHistory history={history} />
      </span>
      {acknowledged_at ? (
        <span className="todo-hint">
          Acknowledged <Day at={acknowledged_at} />
        </span>
      ) : state === 'dropped' ? null : (
        <Form method="post">
          <input type="hidden" name="learner" value={learner} />
          <input type="hidden" name="commitment" value={id} />
          <input type="hidden" name="seen" value={history.length} />
          <Button type="submit" name="intent" value="acknowledge" variant="soft">
            Acknowledge<span className="hidden-words">: {isolated(what)}</span>
          </Button>
        </Form>
      )}
    </li>
  )
}
