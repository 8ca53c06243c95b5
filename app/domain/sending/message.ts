import { countSegments } from '../journeys/segments.ts'
import { fillTemplate, type TemplateValues, withLink } from '../journeys/template.ts'
import { beginningOf } from '../text/beginning.ts'
import { type Letter, type Letterhead, mailOf } from '../text/letter.ts'
import { liftText } from './lift-text.ts'

/** `key` is our idempotency key: the same key is the same message, however often it is handed over. */
export type Outgoing = {
  tenant_id: string
  key: string
  channel: 'sms' | 'email'
  to: string
  subject: string
  text: string
  letter?: Letter | undefined
  letterhead?: Letterhead | undefined
  segments: number | null
  /** 1 for the first attempt. */
  attempt: number
}

export type Draft = Pick<Outgoing, 'tenant_id' | 'key' | 'channel' | 'to' | 'attempt'> & {
  content: { title: string; sms_text: string; email_subject: string; est_minutes: number }
  values: TemplateValues
  isReminder?: boolean
  before?: string
  after?: string
  about?: Pick<Letter, 'why' | 'unsubscribe'>
}

/** The link in a text. Its number makes each text unique, so that it can be found in the carrier's list. */
export const linkOfText = (origin: string, { lift_id, id }: { lift_id: number; id: number }): string =>
  `${origin}/lift/${lift_id}?m=${id.toString(36)}`

const oneLine = (text: string) => beginningOf(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(), 200)

/** Marks a test message as one. */
export const testOf = <Content extends { sms_text: string }>(content: Content): Content => ({
  ...content,
  sms_text: `[Test] ${content.sms_text}`,
})

export const reasonOf = (tenant: string, journey: string): string =>
  `You’re getting this e-mail because you’re in the learning journey “${journey}” at ${tenant}.`

export function composeMessage({
  content,
  values,
  isReminder = false,
  before = '',
  after = '',
  about = { why: '' },
  ...draft
}: Draft): Outgoing {
  const filled = fillTemplate(withLink(content.sms_text), values)
  const title = fillTemplate(content.email_subject || `${values.journey}: ${content.title}`, values)
  const subject = oneLine(isReminder ? `Reminder: ${title}` : title)
  if (draft.channel === 'sms') {
    const text = liftText(filled, { before, after, isReminder })
    return { ...draft, subject, text, segments: countSegments(text).segments }
  }
  return { ...draft, ...mailOf(subject, letterOf(filled, values, content, about)), segments: null }
}

function letterOf(
  filled: string,
  { link: url, lift: label }: TemplateValues,
  { est_minutes }: Draft['content'],
  about: Pick<Letter, 'why' | 'unsubscribe'>,
): Letter {
  const said = filled.endsWith(url) ? filled.slice(0, -url.length).trimEnd() : filled
  const words = said.split(url).flatMap((part, nth) => (nth > 0 ? [{ label, url }, part] : [part]))
  const note = `It takes about ${est_minutes} ${est_minutes === 1 ? 'minute' : 'minutes'}.`
  return { words, button: { label: 'Open the lift', url }, note, ...about }
}
