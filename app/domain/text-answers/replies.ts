import { answerInWords } from '../lifts/answer-words.ts'
import { askInText, howToReply, type TextQuestion, WHO_READS } from '../lifts/text-question.ts'
import { beginningOf } from '../text/beginning.ts'

const MAX_WORDS = 160
const short = (text: string): string =>
  text.length > MAX_WORDS ? `${beginningOf(text, MAX_WORDS - 3).trimEnd()}...` : text

export const understood = (tenant: string, lift: string, question: TextQuestion, value: unknown): string =>
  `${tenant}: For "${lift}" we understood: ${short(answerInWords(question, value))}. ${WHO_READS[question.visibility]} You can change it on the lift's page.`

/** Adds the feedback on the answer to a reply. */
export const withFeedback = (reply: string, feedback: string): string =>
  feedback === '' ? reply : `${reply} ${short(feedback)}`
export const askingNext = (reply: string, lift: string, question: TextQuestion): string =>
  `${reply} Still open: "${lift}". ${askInText(question)}`

export const notUnderstood = (tenant: string, lift: string, question: TextQuestion): string =>
  `${tenant}: That did not answer "${lift}". ${question.text} ${howToReply(question)}`

export const answeredAlready = (tenant: string, lift: string): string =>
  `${tenant}: "${lift}" has your answer already. You can change it on the lift's page.`

export const closed = (tenant: string, lift: string): string =>
  `${tenant}: "${lift}" is closed and no longer takes answers. Your reply was not kept as an answer.`

export const onPage = (tenant: string, lift: string): string =>
  `${tenant}: "${lift}" is answered on its page: please open the link in its text.`

export const termsFirst = (tenant: string, lift: string): string =>
  `${tenant}: Please open the link of "${lift}" once and accept the terms there. Your reply was not kept as an answer.`
