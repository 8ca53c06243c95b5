import { expect, it } from 'vitest'
import { titleOfFailures } from './failures-title.ts'

it('The title of failed messages says of unconfirmed ones only that they may not have arrived', () => {
  const full = { reason: 'The mailbox is full', outcome: 'failed' as const, count: 2 }
  const unknown = { reason: 'No answer', outcome: 'unknown' as const, count: 1 }
  expect(titleOfFailures([full])).toBe('2 messages did not get through: the mailbox is full')
  expect(titleOfFailures([unknown])).toBe('1 message may not have arrived: no answer')
  expect(titleOfFailures([full, unknown])).toBe(
    '3 messages did not get through, or may not have arrived, most often because: the mailbox is full',
  )
})
