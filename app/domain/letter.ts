/** What an e-mail says: the same words in its HTML and in its plain-text part. */

export type LetterButton = { label: string; url: string }
export type Letter = {
  /** Paragraphs, apart by an empty line; links in them can be followed. */
  words: string
  button?: LetterButton | undefined
  /** Small, below the button. */
  note?: string | undefined
  /** Why the reader gets it. */
  why: string
  /** Where e-mails of its kind are stopped; none for what everybody has to get. */
  unsubscribe?: string | undefined
}

/** The plain-text part. */
export function plainText({ words, button, note, why, unsubscribe }: Letter): string {
  const footer = [why, ...(unsubscribe ? [`${STOP_WORDS}: ${unsubscribe}`] : [])].join('\n')
  const parts = [words.trim(), button && `${button.label}: ${button.url}`, note, `-- \n${footer}`]
  return parts.filter(Boolean).join('\n\n')
}

export const STOP_WORDS = 'Stop these e-mails'

/** A mail as its carrier takes it, without its addresses. */
export const mailOf = (subject: string, letter: Letter) => ({ subject, text: plainText(letter), letter })
