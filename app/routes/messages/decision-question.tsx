/** The question before a decision about several messages, with what happens to each. */

import type { ReactNode } from 'react'
import type { Decision, ResendProspect, WhyNot } from '#app/domain/unknown-messages/unknown-message.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ConfirmDialog, Modal } from '#app/ui/dialog.tsx'
import { count, messages, WHY_NOT } from './words.ts'

type QuestionProps = {
  decision: Decision
  prospect: ResendProspect
  fields: Record<string, string | readonly number[]>
  cancelHref: string
}

export function DecisionQuestion({ decision, prospect, fields, cancelHref }: QuestionProps) {
  const { title, message, continueText } = questionOf(decision, prospect)
  if (title === NOTHING)
    return (
      <Modal title={title} closeHref={cancelHref} size="small">
        {message}
        <div className="dialog-actions">
          <ButtonLink to={cancelHref} variant="soft" color="gray">
            Back to the list
          </ButtonLink>
        </div>
      </Modal>
    )
  return (
    <ConfirmDialog
      title={title}
      message={message}
      continueText={continueText}
      cancelHref={cancelHref}
      variant={decision === 'send_again' ? 'warning' : 'info'}
      fields={{ intent: decision, ...fields }}
    />
  )
}

const NOTHING = 'Nothing can be sent again'

/** About all selected messages, including those that cannot be sent again. */
export function questionOf(decision: Decision, prospect: ResendProspect): Question {
  const question = QUESTIONS[decision](prospect.messages + sum(prospect.not), prospect)
  return decision === 'send_again' && prospect.messages === 0 ? { ...question, title: NOTHING } : question
}

type Question = { title: string; message: ReactNode; continueText: string }

/** `all`: the number of selected messages, including those that cannot be sent again. */
const QUESTIONS: Record<Decision, (all: number, prospect: ResendProspect) => Question> = {
  arrived: (all) => ({
    title: all === 1 ? 'Did it arrive?' : `Did all ${count(all)} arrive?`,
    message:
      all === 1
        ? 'It counts as sent, and nothing is sent again.'
        : 'They count as sent, and nothing is sent again.',
    continueText: all === 1 ? 'Yes, it arrived' : 'Yes, they arrived',
  }),
  send_again: (_, prospect) => ({
    title: `Send ${messages(prospect.messages)} again?`,
    message: <WhatHappens {...prospect} />,
    continueText: prospect.messages === 1 ? 'Send it again' : `Send ${count(prospect.messages)} again`,
  }),
  not_arrived: (all) => ({
    title: all === 1 ? 'Did it not arrive?' : `Did none of the ${count(all)} arrive?`,
    message:
      all === 1
        ? 'It counts as failed from now on, and nothing is sent. While the journey runs, “Send now” reaches this person.'
        : 'They count as failed from now on, and nothing is sent. While their journeys run, “Send now” reaches these people.',
    continueText: 'Count as failed',
  }),
}

const sum = (not: ResendProspect['not']) =>
  Object.values(not).reduce((total: number, one) => total + (one ?? 0), 0)

function WhatHappens({ messages: many, email, sms, resting, fell_back, is_stopped, not }: ResendProspect) {
  const left = Object.entries(not) as [WhyNot, number][]
  const restingWords =
    resting === 1
      ? '1 of them waits until the end of quiet hours.'
      : `${count(resting)} of them wait until the end of quiet hours.`
  return (
    <>
      <ul className="messages-prospect">
        {email > 0 ? <li>{email === 1 ? '1 goes out' : `${count(email)} go out`} by e-mail.</li> : null}
        {sms > 0 ? (
          <li>{sms === 1 ? '1 goes out as a text message.' : `${count(sms)} go out as text messages.`}</li>
        ) : null}
        {fell_back > 0 ? (
          <li>{`${count(fell_back)} of them by e-mail, because the number no longer takes texts.`}</li>
        ) : null}
        {resting > 0 ? <li>{restingWords}</li> : null}
        {left.map(([why, some]) => (
          <li key={why}>
            {count(some)} {some === 1 ? 'stays' : 'stay'} in the list: {WHY_NOT[why].toLowerCase()}.
          </li>
        ))}
      </ul>
      {is_stopped && many > 0 ? (
        <p>Your company has stopped all messages. They are sent when sending resumes.</p>
      ) : null}
      {many > 0 ? <p>People who did get the first one get it twice.</p> : null}
    </>
  )
}
