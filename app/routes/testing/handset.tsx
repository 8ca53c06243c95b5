/** One person's phone with texts in both directions, and their mails beside it. */

import { type Handset, type Line, type Mail, READ_AS } from '#app/domain/testing/handset.ts'
import { formatDate } from '#app/domain/text/date-format.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Link } from '#app/ui/link.tsx'
import { MessageWords } from './message-words.tsx'
import { Reply } from './reply.tsx'

/** The anchor by which an answer returns to the phone that it was typed into. */
export const handsetId = ({ number, user_id }: Pick<Handset, 'number' | 'user_id'>): string =>
  number ? `phone-${number.slice(1)}` : `person-${user_id}`

export function HandsetCard({ handset }: { handset: Handset }) {
  const { name, number, email, zone, texts, mails, takes_texts } = handset
  const id = handsetId(handset)
  return (
    <li className="handset" id={id}>
      <header className="handset-head">
        <h3>{name}</h3>
        <p className="handset-quiet">
          {number && number !== name ? `${number} · ` : ''}
          {zone}
        </p>
        {number && !takes_texts ? <Badge tone="warning">Takes no texts</Badge> : null}
      </header>
      {number ? (
        <div className="handset-phone">
          {texts.has_more ? <Earlier q={number}>Earlier texts</Earlier> : null}
          {texts.data.length > 0 ? (
            <ol className="handset-lines" aria-label={`Texts with ${name}`}>
              {texts.data.map((line) => (
                <Bubble key={line.id} line={line} zone={zone} />
              ))}
            </ol>
          ) : (
            <p className="handset-quiet">No texts yet.</p>
          )}
          <Reply
            key={texts.data.filter((line) => line.is_theirs).at(-1)?.id ?? 'first'}
            {...{ id, name, number }}
          />
        </div>
      ) : (
        <p className="handset-quiet">No number on file: gets e-mails only.</p>
      )}
      {mails.data.length > 0 && email ? (
        <section className="handset-mails" aria-label={`E-mails to ${name}`}>
          <h4>E-mails</h4>
          {mails.data.map((mail) => (
            <MailRow key={mail.id} mail={mail} zone={zone} />
          ))}
          {mails.has_more ? <Earlier q={email}>Earlier e-mails</Earlier> : null}
        </section>
      ) : null}
    </li>
  )
}

const Earlier = ({ q, children }: { q: string; children: string }) => (
  <p>
    <Link to={`/testing/messages?${new URLSearchParams({ q })}`}>{children}</Link>
  </p>
)

function Bubble({ line: { is_theirs, text, at, reading }, zone }: { line: Line; zone: string }) {
  return (
    <li className="bubble" data-theirs={is_theirs ? '' : undefined}>
      <p className="bubble-words">
        <span className="hidden-words">{is_theirs ? 'They wrote: ' : 'Liftwell sent: '}</span>
        <MessageWords words={text} />
      </p>
      <p className="handset-quiet">
        <time dateTime={at}>{moment(at, zone)}</time>
        {reading ? ` · ${READ_AS[reading]}` : ''}
      </p>
    </li>
  )
}

function MailRow({ mail: { at, subject, text }, zone }: { mail: Mail; zone: string }) {
  return (
    <details className="handset-mail">
      <summary>
        <span>{subject || 'No subject'}</span>{' '}
        <time className="handset-quiet" dateTime={at}>
          {moment(at, zone)}
        </time>
      </summary>
      <p>
        <MessageWords words={text} />
      </p>
    </details>
  )
}

const moment = (at: string, timeZone: string): string =>
  formatDate(new Date(at), {
    month: 'short',
    day: 'numeric',
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  })
