/** Errors of all answers, found before any is saved, so that they are reported together. */
import { isDeepStrictEqual } from 'node:util'
import type { LiftPage, PagePrompt } from '#app/domain/lifts/page.ts'
import { answerTo } from '#app/domain/lifts/prompt-answers.ts'
import { dayIn } from '#app/domain/text/date-format.ts'
import type { Answer } from './read-answers.server.ts'

type Wrong = Record<string, string[]>

/** Uses the messages of the API, which stops at the first unanswered question. */
export function wrongAnswers({ prompts, zone }: LiftPage, answers: readonly Answer[], now: Date): Wrong {
  const today = dayIn(zone, now)
  const wrong = answers.flatMap(({ prompt_id, value }) => {
    const prompt = prompts.find(({ id }) => id === prompt_id)
    const why = prompt ? whyWrong(prompt, value, today) : []
    return why.length > 0 ? [[`prompt_${prompt_id}`, why] as const] : []
  })
  return Object.fromEntries(wrong)
}

function whyWrong(prompt: PagePrompt, value: unknown, today: string): string[] {
  const parsed = answerTo(prompt).safeParse(value)
  if (!parsed.success) return parsed.error.issues.map(({ message }) => message)
  const isSame = isDeepStrictEqual(prompt.answer?.value, parsed.data)
  const isPast = prompt.kind === 'commitment' && (parsed.data as { by: string }).by < today
  return isPast && !isSame ? ['Please choose today or a later day'] : []
}
