/** Tells learners who may read their answer. */
import type { PagePrompt } from '#app/domain/lifts/page.ts'

export const RUNNERS = 'this journey’s author and your administrators'

export function whoReads(visibility: PagePrompt['visibility'], sponsor: string | null): string {
  switch (visibility) {
    case 'learner_only':
      return 'Only you can read your answer.'
    case 'aggregate_only':
      return 'Nobody else can read your answer. It is counted together with those of at least four others; once it is, a change no longer counts.'
    case 'admins':
      return `${capital(RUNNERS)} can read your answer. Your sponsor cannot, unless they are one of them.`
    case 'sponsor':
      return sponsor
        ? `Your sponsor (${sponsor}), ${RUNNERS} can read your answer.`
        : `${capital(RUNNERS)} can read your answer, and so can your sponsor if you get one.`
  }
}

const capital = (words: string) => words[0]?.toUpperCase() + words.slice(1)
