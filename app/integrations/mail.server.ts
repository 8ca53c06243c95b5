/** One message as the bytes of an e-mail: plain text, and the same with its links to be followed by a tap. */
import { createHash } from 'node:crypto'
import MailComposer from 'nodemailer/lib/mail-composer'
import { CarrierError, type Message } from './carrier.ts'

export type Sender = { name: string; address: string }

/** `Liftwell <lifts@example.com>`, or the address alone. Null: neither. */
export function readSender(text: string): Sender | null {
  const named = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(text)
  const [name, address] = named ? [named[1] ?? '', named[2] ?? ''] : ['', text.trim()]
  return isAddress(address) && !/\p{Cc}/u.test(name) ? { name, address } : null
}

/** One plain address: nothing by which a second recipient, a header or a command could slip in. */
export const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u.test(text)

export type Mail = { message_id: string; bytes: Buffer }

export async function composeMail(message: Message, from: Sender): Promise<Mail> {
  const { to, subject, text } = message
  if (!isAddress(to)) throw new CarrierError('refused', 'address')
  const message_id = `<${idOf(message)}@${from.address.split('@')[1]}>`
  const composer = new MailComposer({
    from,
    to: { name: '', address: to },
    subject: oneLine(subject),
    text,
    html: toHtml(text),
    messageId: message_id,
    // Nobody's holiday note answers it.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return { message_id, bytes: await composer.compile().build() }
}

/** The same message has the same id, however often it is handed over: mailboxes tell doubles by it. */
const idOf = ({ tenant_id, key }: Message): string =>
  createHash('sha256').update(`${tenant_id}\n${key}`).digest('hex').slice(0, 40)

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/** What ends a sentence does not belong to the address before it. */
const LINK = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g

function toHtml(text: string): string {
  let html = ''
  let end = 0
  for (const { 0: link, index } of text.matchAll(LINK)) {
    html += `${escapeHtml(text.slice(end, index))}<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`
    end = index + link.length
  }
  const paragraphs = (html + escapeHtml(text.slice(end))).split(/\n{2,}/)
  const body = paragraphs.map((words) => `<p>${words.replaceAll('\n', '<br>\n')}</p>`).join('\n')
  return `<!doctype html>
<html lang="en"><body style="font: 16px/1.5 system-ui, sans-serif; max-width: 36em">
${body}
</body></html>`
}
