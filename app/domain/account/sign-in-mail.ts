/** What the provider of sign-ins writes by e-mail. Nobody is rid of it: people ask for it themselves. */
import { type LetterLink, mailOf } from '../text/letter.ts'

type Said = { body: string; button?: LetterLink | undefined; note?: string | undefined }

export const signInMail = (subject: string, { body, button, note }: Said) =>
  mailOf(subject, {
    words: body,
    button,
    note,
    why: 'You’re getting this e-mail because someone entered this address to sign in to Liftwell.',
  })
