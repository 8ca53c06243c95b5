/** What an author wrote for a journey that was deleted, or given to somebody else, meanwhile. */
import type { Submission } from '@conform-to/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { getJourney } from '#app/api/contract/journeys.ts'
import { keepWords } from '../keep-words.server.ts'

const why = 'This journey was deleted, or somebody else looks after it now.'

export function keepAuthored<Schema>(
  error: unknown,
  api: ApiClient,
  id: string | undefined,
  { payload }: Submission<Schema>,
): Promise<void> {
  const words = stringsIn(payload).filter((text) => /\S\s+\S/.test(text))
  return keepWords(error, () => api(getJourney, { id }), { why, words })
}

/** Several words are somebody's own; a single one is mostly a choice or a number. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
