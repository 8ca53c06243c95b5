/** Who gets a lift that is sent now, on which channel, and when. */
import type { StillToSend } from '#app/domain/sending/send-now-recipients.ts'
import { figures } from '#app/domain/text/figures.ts'

const some = (people: number, one: string, more: string) =>
  people === 0 ? null : `${figures(people)} ${people === 1 ? one : more}`

export function WhatIsSent({ people, held, restored, failed, by_channel, resting, unmailed }: StillToSend) {
  if (people === 0) return <p>Everyone already received this lift.</p>
  const late = held - restored
  const ways = [
    some(by_channel.email - unmailed, 'gets an e-mail, at once.', 'get an e-mail, at once.'),
    some(
      unmailed,
      'has stopped e-mails, or theirs come back: the lift is only in their to-do list.',
      'have stopped e-mails, or theirs come back: the lift is only in their to-do lists.',
    ),
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
        {some(people - restored, 'person has not had it yet.', 'people have not had it yet.')}
        {late > 0
          ? ` It is held for ${figures(late)} of them: it could not leave in time, and waits until you send it.`
          : ''}
        {restored > 0
          ? ` A backup was restored: ${some(restored, 'person', 'people')} may have had it before, and would get it again.`
          : ''}
        {failed > 0 ? ` Sending to ${figures(failed)} of them failed before.` : ''}
      </p>
      <ul className="problems">{ways.map((way) => (way ? <li key={way}>{way}</li> : null))}</ul>
      {restored > 0 ? null : <p className="field-help">Nobody gets this lift twice.</p>}
    </>
  )
}
