/** The question before a lift is sent by hand: how many have not had it, and what becomes of each message. */
import { useActionData } from '@remix-run/react'
import { isRunning, type Journey } from '#app/domain/journeys/journey.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import type { StillToSend } from '#app/domain/sending/send-now-recipients.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { SubmitButton } from '#app/ui/form.tsx'
import { Form } from '#app/ui/place-form.tsx'
import type { ByHand, SendAnswer } from './by-hand.server.ts'
import { KeptSearch, SearchField } from './search-people.tsx'

/** What is ready, in a journey that runs. */
export const isSendable = ({ status }: Pick<Journey, 'status'>, lift: Pick<Lift, 'status'>): boolean =>
  isRunning(status) && lift.status === 'ready'

type SendNowProps = {
  lift: Pick<Lift, 'title'>
  byHand: ByHand
  /** Of one drawing of the question: pressed twice, it sends once. */
  submissionKey: string
  closeHref: string
}

export function SendNow({ lift, byHand, submissionKey, closeHref }: SendNowProps) {
  const { problem } = useActionData<SendAnswer>() ?? {}
  const { still } = byHand
  return (
    <Modal title={`Send “${lift.title}” now?`} closeHref={closeHref}>
      <div className="stack">
        {problem ? (
          <p className="field-errors" role="alert">
            {problem}
          </p>
        ) : null}
        <WhatHappens {...still} />
        {still.people > 1 ? <Choose byHand={byHand} submissionKey={submissionKey} /> : null}
      </div>
      <Form method="post" preventScrollReset className="dialog-actions">
        <input type="hidden" name="key" value={submissionKey} />
        <ButtonLink to={closeHref} variant="soft" color="gray">
          {still.people > 0 ? 'Cancel' : 'Back to the schedule'}
        </ButtonLink>
        {still.people > 0 ? (
          <SubmitButton intent="send-now">
            {still.people === 1 ? 'Send it now' : `Send it to all ${count(still.people)}`}
          </SubmitButton>
        ) : null}
      </Form>
    </Modal>
  )
}

const count = (people: number) => people.toLocaleString('en-US')
const some = (people: number, one: string, more: string) =>
  people === 0 ? null : `${count(people)} ${people === 1 ? one : more}`

function WhatHappens({ people, held, failed, by_channel, resting }: StillToSend) {
  if (people === 0) return <p>Everybody who takes part has had it. There is nobody to send it to.</p>
  const ways = [
    some(by_channel.email, 'gets an e-mail, at once.', 'get an e-mail, at once.'),
    some(by_channel.sms - resting, 'gets a text, at once.', 'get a text, at once.'),
    some(
      resting,
      'gets a text in the morning: it is night there.',
      'get a text in the morning: it is night there.',
    ),
    some(by_channel.in_app, 'is told in the app, at once.', 'are told in the app, at once.'),
  ]
  return (
    <>
      <p>
        {some(people, 'person has not had it yet.', 'people have not had it yet.')}
        {held > 0
          ? ` Held for ${count(held)} of them: it could not leave in time, and waits for somebody to send it.`
          : ''}
        {failed > 0 ? ` To ${count(failed)} of them it failed before.` : ''}
      </p>
      <ul className="problems">{ways.map((way) => (way ? <li key={way}>{way}</li> : null))}</ul>
      <p className="field-help">Whoever has had this lift does not get it again.</p>
    </>
  )
}

/** One form: who is ticked stays so while others are looked for. */
function Choose({ byHand, submissionKey }: Pick<SendNowProps, 'byHand' | 'submissionKey'>) {
  const { still, whom, chosen } = byHand
  const { ticked = chosen, problem } = useActionData<SendAnswer>() ?? {}
  const more = still.total - still.data.length
  return (
    <details className="more" open={whom !== '' || chosen.length > 0 || problem !== undefined}>
      <summary>Choose single people</summary>
      <Form method="get" preventScrollReset className="stack">
        <KeptSearch but={['whom', 'member_ids', 'key']} />
        <input type="hidden" name="key" value={submissionKey} />
        <div className="filter-search">
          <SearchField name="whom" label="Search people by name or e-mail" words={whom} />
        </div>
        <fieldset className="field choices scroll-box">
          <legend className="hidden-words">People who have not had it</legend>
          {still.data.length === 0 ? <p className="people-mail">Nobody matches “{whom}”.</p> : null}
          {still.data.map(({ member_id, name, email, is_held, has_failed }) => (
            <label key={member_id} className="choice">
              <input
                className="choice-box"
                type="checkbox"
                name="member_ids"
                value={member_id}
                defaultChecked={ticked.includes(member_id)}
              />
              <span className="choice-label">
                {name} <span className="people-mail">{email}</span>
                {is_held ? ' · held' : ''}
                {has_failed ? ' · failed' : ''}
              </span>
            </label>
          ))}
        </fieldset>
        {more > 0 ? <p className="people-mail">and {count(more)} more: find them by name.</p> : null}
        <div>
          <SubmitButton intent="send-chosen" formMethod="post" variant="soft">
            Send it to those who are ticked
          </SubmitButton>
        </div>
      </Form>
    </details>
  )
}
