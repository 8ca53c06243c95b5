import { isolated } from '#app/domain/text/isolated.ts'
import type { UnknownMessage } from '#app/domain/unknown-messages/unknown-message.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Day } from '#app/ui/day.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Link } from '#app/ui/link.tsx'
import type { Column } from '#app/ui/list/table.tsx'
import { DECISIONS_FORM } from './decision-bar.tsx'
import { CHANNEL, causeOf, LABELS, WHY_NOT } from './words.ts'

export const messageColumns = (
  selected: readonly number[],
  linksPeople: boolean,
): readonly Column<UnknownMessage>[] => [
  {
    key: 'learner',
    label: 'Learner',
    render: (message) => <Learner {...{ message, linksPeople }} isTicked={selected.includes(message.id)} />,
  },
  { key: 'lift', label: 'Message', render: (message) => <About message={message} /> },
  {
    key: 'sent_at',
    label: 'Sent',
    render: ({ sent_at, unknown_since, channel }) => (
      <span className="messages-when">
        <Day at={sent_at ?? unknown_since} timed />
        <span className="messages-note">{CHANNEL[channel]}</span>
      </span>
    ),
  },
  { key: 'cause', label: 'Why', render: (message) => <Why message={message} /> },
  {
    key: 'actions',
    label: 'Actions',
    hideLabel: true,
    render: (message) => <Decide message={message} />,
  },
]

type LearnerProps = { message: UnknownMessage; isTicked: boolean; linksPeople: boolean }

function Learner({ message: { id, learner, opened, asked_until }, isTicked, linksPeople }: LearnerProps) {
  return (
    <span className="name-cell">
      {asked_until === null ? (
        <label className="pick">
          <input
            type="checkbox"
            className="choice-box"
            name="message_ids"
            value={id}
            form={DECISIONS_FORM}
            defaultChecked={isTicked}
          />
          <span className="hidden-words">Select the message to {isolated(learner.name)}</span>
        </label>
      ) : null}
      <span>
        {linksPeople ? <Link to={`/users/edit/${learner.user_id}`}>{learner.name}</Link> : learner.name}
        {opened ? <span className="messages-note">Has opened it</span> : null}
      </span>
    </span>
  )
}

function About({ message: { journey, lift, kind } }: { message: UnknownMessage }) {
  return (
    <>
      <Link to={`/lljs/${journey.id}/lifts/${lift.id}`}>{lift.title}</Link>
      {kind === 'reminder' ? (
        <>
          {' '}
          <Badge>Reminder</Badge>
        </>
      ) : null}
      <span className="messages-note">{journey.name}</span>
    </>
  )
}

function Why({ message }: { message: UnknownMessage }) {
  const { why_not, asked_until } = message
  return (
    <>
      {causeOf(message)}
      {why_not ? (
        <span className="messages-note">
          {WHY_NOT[why_not]}
          {asked_until ? (
            <>
              {' '}
              until <Day at={asked_until} timed />
            </>
          ) : null}
          .
        </span>
      ) : null}
    </>
  )
}

/** No buttons while the carrier is still being asked. */
function Decide({ message: { id, why_not, learner } }: { message: UnknownMessage }) {
  if (why_not === 'asking') return null
  const other = why_not === null ? 'send_again' : 'not_arrived'
  return (
    <Form method="post" className="row-actions" preventScrollReset>
      <input type="hidden" name="message_ids" value={id} />
      {(['arrived', other] as const).map((decision) => (
        <SubmitButton key={decision} intent={decision} variant="soft" color="gray">
          {LABELS[decision]}
          <span className="hidden-words">{`: the message to ${learner.name}`}</span>
        </SubmitButton>
      ))}
    </Form>
  )
}
