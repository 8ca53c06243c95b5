/** A lift's message as it leaves. */
import { countSegments } from '../journeys/segments.ts'
import { fillTemplate, type TemplateValues, withLink } from '../journeys/template.ts'

/** `key` is ours: the same key is the same message, however often it is handed over. */
export type Outgoing = {
  tenant_id: string
  key: string
  channel: 'sms' | 'email'
  to: string
  subject: string
  text: string
  segments: number | null
  /** 1 for the first attempt. */
  attempt: number
}

type Draft = Pick<Outgoing, 'tenant_id' | 'key' | 'channel' | 'to' | 'attempt'> & {
  content: { title: string; sms_text: string; email_subject: string }
  values: TemplateValues
  isReminder?: boolean
  /** Who writes, or why: around what the author wrote. */
  before?: string
  after?: string
}

/** Where a text leads. The number at its end makes the text one of its kind: by it a carrier's list shows it. */
export const linkOfText = (origin: string, { lift_id, id }: { lift_id: number; id: number }): string =>
  `${origin}/lift/${lift_id}?m=${id.toString(36)}`

/** A subject is one line, whatever the names in it contain. */
const oneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 200)

/** Before the words: the link stays the end of every text. */
export const introduction = (tenant: string): string => `${tenant} (reply STOP to end texts): `

export const reasonOf = (tenant: string, journey: string): string =>
  `\n\nYou get this e-mail because you take part in the learning journey "${journey}" of ${tenant}.`

export function composeMessage({
  content,
  values,
  isReminder = false,
  before = '',
  after = '',
  ...draft
}: Draft): Outgoing {
  const text = `${before}${fillTemplate(withLink(content.sms_text), values)}${after}`
  const about = fillTemplate(content.email_subject || `${values.journey}: ${content.title}`, values)
  const subject = oneLine(isReminder ? `Reminder: ${about}` : about)
  return { ...draft, subject, text, segments: draft.channel === 'sms' ? countSegments(text).segments : null }
}
