import { expect, it } from 'vitest'
import { JOURNEY_STATUSES, mayMove } from '#app/domain/journeys/journey-status.ts'
import { OFFERED } from './lifecycle.ts'

const LEADS_TO = { pause: 'paused', complete: 'completed', archive: 'archived' } as const

it.each(Object.entries(LEADS_TO))('%s is offered exactly where a journey can become %s', (step, status) => {
  const offering = JOURNEY_STATUSES.filter((from) => (OFFERED[from] as readonly string[]).includes(step))
  expect(offering).toEqual(JOURNEY_STATUSES.filter((from) => mayMove(from, status)))
})
