/** A prompt as the page of a lift shows it: answered, judged, scored. */
import type { Commitment } from './commitment.ts'
import type { PagePrompt } from './page.ts'
import { isHit, type Prompt, type PromptOption } from './prompt.ts'

type Answer = {
  value: unknown
  score: number | null
  score_comment: string
  max_score: number | null
  visibility: string
  submitted_at: Date
  commitment: string | null
}

export function toPagePrompt(prompt: Prompt, answer: Answer | undefined): PagePrompt {
  const { id, position, kind, text, help, required, visibility, scoring } = prompt
  const chosen = prompt.options.filter((option) => [answer?.value].flat().includes(option.id))
  return {
    id,
    position,
    kind,
    text,
    help,
    required,
    visibility: (answer?.visibility ?? visibility) as PagePrompt['visibility'],
    scorer: scoring === 'sponsor' || scoring === 'author' ? scoring : null,
    // A retired option is shown only if it was chosen.
    options: prompt.options
      .filter((option) => !option.retired || chosen.includes(option))
      .map((option) => ({ id: option.id, text: option.text })),
    answer: answer
      ? {
          value: answer.value,
          ...judged(prompt, answer.value, chosen),
          score: scoreOf(prompt, answer),
          submitted_at: answer.submitted_at.toISOString(),
          commitment: answer.commitment as Commitment['state'] | null,
        }
      : null,
  }
}

function scoreOf(prompt: Prompt, { score, score_comment: comment, max_score }: Answer) {
  if (score === null) return null
  const of = max_score ?? prompt.max_score
  return { points: Math.round(score * of * 100) / 100, max_score: of, comment }
}

/** Whether the answer was right, and the feedback on it. */
function judged({ target, ...prompt }: Prompt, value: unknown, chosen: readonly PromptOption[]) {
  if (target) {
    const correct = isHit(target, value)
    return { correct, feedback: correct ? target.right : target.wrong }
  }
  const hasRight = prompt.options.some((option) => option.correct !== null)
  const ids = chosen.map((option) => option.id)
  return {
    correct: hasRight && ids.length > 0 ? isRight(prompt, ids) : null,
    feedback: chosen
      .map((option) => option.feedback)
      .filter(Boolean)
      .join(' '),
  }
}

function isRight(prompt: Pick<Prompt, 'options'>, chosen: string[]): boolean {
  const correct = prompt.options.filter((option) => option.correct).map((option) => option.id)
  return correct.length === chosen.length && correct.every((id) => chosen.includes(id))
}
