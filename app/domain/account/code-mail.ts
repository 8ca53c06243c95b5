/** What is written to a new address or number. The words of a text are those of the mail. */
import { mailOf } from '../letter.ts'
import { CODE_MINUTES } from './contact-change.ts'

export const contactCodeMail = (code: string) =>
  mailOf('Your code for Liftwell', {
    words: codeWords(code),
    why: 'You get this e-mail because somebody typed this address as their own at Liftwell.',
  })

export const codeWords = (code: string): string =>
  `Your code for Liftwell is ${code}. It is valid for ${CODE_MINUTES} minutes. If you did not ask for it, do nothing.`

export const addressTakenMail = () =>
  mailOf('You have an account already', {
    words:
      'Somebody wanted to use this address for another account of Liftwell. You have one with it already, so nothing was changed. If it was not you, do nothing.',
    why: 'You get this e-mail because somebody typed this address as their own at Liftwell.',
  })
