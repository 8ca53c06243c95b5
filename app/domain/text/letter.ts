/** The content of an e-mail, the same in its HTML and plain-text parts. */

export type LetterLink = { label: string; url: string }
export type Words = string | readonly (string | LetterLink)[]
export type Letter = {
  /** Paragraphs, separated by empty lines; web addresses in them become links. */
  words: Words
  button?: LetterLink | undefined
  note?: Words | undefined
  /** Why the recipient gets it. */
  why: Words
  /** Where to unsubscribe from e-mails of this kind; none for those that everybody has to get. */
  unsubscribe?: string | undefined
}

/** The sender: the company's name, and its logo in a format that mail programs show. */
export type Letterhead = { company: string; logo: { bytes: Buffer; content_type: string } | null }

export function plainText({ words, button, note, why, unsubscribe }: Letter): string {
  const footer = [plain(why), ...(unsubscribe ? [`${STOP_WORDS}: ${unsubscribe}`] : [])].join('\n')
  const parts = [plain(words).trim(), button && `${button.label}: ${button.url}`, note && plain(note)]
  return [...parts, `-- \n${footer}`].filter(Boolean).join('\n\n')
}

/** The URL of a link is on a line of its own, below its label. */
function plain(words: Words): string {
  let text = ''
  let below = ''
  for (const part of [words].flat()) {
    if (typeof part !== 'string') {
      text += part.label
      below += `\n${part.url}`
    } else if (part.includes('\n')) {
      text += part.replace('\n', () => `${below}\n`)
      below = ''
    } else text += part
  }
  return text + below
}

export const STOP_WORDS = 'Stop these e-mails'

export const mailOf = (subject: string, letter: Letter) => ({ subject, text: plainText(letter), letter })
