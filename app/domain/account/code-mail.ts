/** The message with the code, sent to a new address or number. The text message has the words of the e-mail. */
import { mailOf } from '../text/letter.ts'
import { CODE_MINUTES } from './contact-change.ts'

export const contactCodeMail = (code: string) =>
  mailOf('Your code for Liftwell', {
    words: codeWords(code),
    why: 'You’re getting this e-mail because someone entered this address as their own at Liftwell.',
  })

export const codeWords = (code: string): string =>
  `Your code for Liftwell is ${code}. It is valid for ${CODE_MINUTES} minutes. If you did not ask for it, you can ignore this message.`

export const addressTakenMail = () =>
  mailOf('You already have an account', {
    words:
      'Someone wanted to use this address for another Liftwell account. You already have one with it, so nothing was changed. If it was not you, you can ignore this message.',
    why: 'You’re getting this e-mail because someone entered this address as their own at Liftwell.',
  })
