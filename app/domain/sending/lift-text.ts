/** A lift's message as a text: what is added to the author's words, and how many texts that makes. */
import { countSegments, MAX_SEGMENTS, type SegmentCount } from '../journeys/segments.ts'
import { LONG_VALUES, messageSegments } from '../journeys/template.ts'
import { askInText, type TextQuestion } from '../lifts/text-question.ts'

/** Placed before the lift's text, because its link and question follow it. */
export const introduction = (tenant: string): string => `${tenant} (reply STOP to end texts): `

/** The same link with a sign-in token. */
export const signingIn = (link: string, token: string): string =>
  `${link}${link.includes('?') ? '&' : '?'}k=${token}`

type Added = { before?: string; after?: string; isReminder?: boolean }

/** A reminder says that it is one, unless that would cost another text. */
export function liftText(filled: string, { before = '', after = '', isReminder = false }: Added): string {
  const text = askedWith(`${before}${filled}`, after)
  const reminder = askedWith(`${before}Reminder: ${filled}`, after)
  return isReminder && textsOf(reminder) === textsOf(text) ? reminder : text
}

const textsOf = (text: string): number => countSegments(text).segments

/** Adds the question to the text if there is room. */
function askedWith(words: string, asks: string): string {
  const both = `${words}\n${asks}`
  return asks !== '' && textsOf(both) <= MAX_SEGMENTS ? both : words
}

/** A link with a sign-in token is sent if the text stays short enough. */
export const isShortEnough = (texts: number, withoutToken: number): boolean =>
  texts <= Math.max(MAX_SEGMENTS, withoutToken)

const TOKEN = 'x'.repeat(22)

type About = {
  names: { journey: string; lift: string }
  company: string
  /** Whether its messages' links sign learners in. */
  signsIn: boolean
  question: TextQuestion | null
}

/** The usual length, that of the first text to a phone, and that with the question. */
export function textLengths(template: string, { names, company, signsIn, question }: About) {
  const lengthOf = (added: Added): SegmentCount => {
    const [plain, entry] = [LONG_VALUES.link, signingIn(LONG_VALUES.link, TOKEN)].map((link) =>
      messageSegments(template, { ...names, link }, (filled) => liftText(filled, added)),
    ) as [SegmentCount, SegmentCount]
    return signsIn && isShortEnough(entry.segments, plain.segments) ? entry : plain
  }
  return {
    usual: lengthOf({}),
    first: lengthOf({ before: introduction(company) }),
    asked: question ? lengthOf({ after: askInText(question) }) : null,
  }
}
