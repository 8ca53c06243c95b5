/** The e-mails of our identity provider. They have no unsubscribe link: people request them themselves. */
import { type LetterLink, mailOf } from '../text/letter.ts'

type Said = { body: string; button?: LetterLink | undefined; note?: string | undefined }

export const signInMail = (subject: string, { body, button, note }: Said) =>
  mailOf(subject, {
    words: body,
    button,
    note,
    why: 'You’re getting this e-mail because someone entered this address to sign in to Liftwell.',
  })
