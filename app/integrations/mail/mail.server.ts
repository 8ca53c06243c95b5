/** Composes a message as the bytes of an e-mail: plain text, the same as HTML, and the logo. */
import { createHash } from 'node:crypto'
import MailComposer from 'nodemailer/lib/mail-composer'
import { CarrierError, type Message } from '#app/integrations/carrier.ts'
import { LOGO_ID, mailHtml } from './mail-html.ts'

export type Sender = { name: string; address: string }

/** Parses `Liftwell <lifts@example.com>` or a plain address. Null: neither. */
export function readSender(text: string): Sender | null {
  const named = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(text)
  const [name, address] = named ? [named[1] ?? '', named[2] ?? ''] : ['', text.trim()]
  return isAddress(address) && !/\p{Cc}/u.test(name) ? { name, address } : null
}

/** One plain address, which cannot smuggle in a second recipient, a header or a command. */
export const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u.test(text)

export type Mail = { message_id: string; bytes: Buffer }

/** Without a letter the text is the whole mail: so were messages queued by an older release. */
export async function composeMail(message: Message, from: Sender): Promise<Mail> {
  const { to, subject, text, letter = { words: text, why: '' } } = message
  if (!isAddress(to)) throw new CarrierError('refused', 'address')
  const message_id = `<${idOf(message)}@${from.address.split('@')[1]}>`
  const letterhead = message.letterhead ?? { company: from.name, logo: null }
  const { logo } = letterhead
  const composer = new MailComposer({
    from: { name: oneLine(letterhead.company), address: from.address },
    to: { name: '', address: to },
    subject: oneLine(subject),
    text,
    html: mailHtml({ subject: oneLine(subject), letter, letterhead }),
    messageId: message_id,
    headers: { ...NO_ANSWERS, ...unsubscribeBy(letter.unsubscribe) },
    ...(logo && {
      attachments: [
        { cid: LOGO_ID, content: logo.bytes, contentType: logo.content_type, filename: 'logo.png' },
      ],
    }),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return { message_id, bytes: await composer.compile().build() }
}

const NO_ANSWERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/** One-click unsubscribe in the mail program (RFC 8058): only a POST counts. */
const unsubscribeBy = (url: string | undefined): Record<string, string> =>
  url ? { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}

/** The same message always has the same Message-ID, by which mailboxes recognize duplicates. */
const idOf = ({ tenant_id, key }: Message): string =>
  createHash('sha256').update(`${tenant_id}\n${key}`).digest('hex').slice(0, 40)

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
