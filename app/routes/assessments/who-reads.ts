/** Tells a rater who may read the assessment; `raters`: all raters of it. */
import type { Rater } from '#app/domain/assessments/assessment.ts'
import { RUNNERS } from '../lift/who-reads.ts'

export function whoReads(rater: Rater, raters: readonly Rater[], learner: string): string {
  switch (rater) {
    case 'self':
      return `Once you submit, ${RUNNERS} can read your answers and score, and so can your sponsor if you have one${
        raters.includes('sponsor') ? ', after submitting theirs' : ''
      }.`
    case 'sponsor':
      return `Once you submit, ${learner}, ${RUNNERS} can read your answers and score${
        raters.includes('self') ? `, ${learner} only after submitting theirs` : ''
      }.`
    case 'peers':
      return `Nobody sees who said what: ${learner}, their sponsor, ${RUNNERS} only read the answers of at least five peers together, and comments word for word without names.`
  }
}
