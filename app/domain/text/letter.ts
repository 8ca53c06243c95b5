/** What an e-mail says: the same words in its HTML and in its plain-text part. */

export type LetterLink = { label: string; url: string }
export type Words = string | readonly (string | LetterLink)[]
export type Letter = {
  /** Paragraphs, apart by an empty line; addresses that people wrote into them can be followed too. */
  words: Words
  button?: LetterLink | undefined
  note?: Words | undefined
  /** Why the reader gets it. */
  why: Words
  /** Where e-mails of its kind are stopped; none for what everybody has to get. */
  unsubscribe?: string | undefined
}

/** In whose name it is written: the company's name, and its logo as mail programs show it. */
export type Letterhead = { company: string; logo: { bytes: Buffer; content_type: string } | null }

export function plainText({ words, button, note, why, unsubscribe }: Letter): string {
  const footer = [plain(why), ...(unsubscribe ? [`${STOP_WORDS}: ${unsubscribe}`] : [])].join('\n')
  const parts = [plain(words).trim(), button && `${button.label}: ${button.url}`, note && plain(note)]
  return [...parts, `-- \n${footer}`].filter(Boolean).join('\n\n')
}

/** The address of a link stands by itself, below the line with its label. */
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
