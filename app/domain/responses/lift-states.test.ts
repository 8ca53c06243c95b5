import { expect, it } from 'vitest'
import { closedBy, stateInWords } from './lift-states.ts'

it('A lift that did not reach its learner shows what happened to its message', () => {
  const said = (state: string, delivery: string) => stateInWords({ state, delivery })
  expect(said('due', 'pending')).toBe('Being sent')
  expect(said('due', 'failed')).toBe('Message failed')
  expect(said('due', 'unknown')).toBe('Message unconfirmed')
  expect(said('due', 'suppressed')).toBe('Message held back')
  expect(said('due', 'expired')).toBe('Too late to send')
  expect(said('expired', 'accepted')).toBe('Closed unanswered')
  expect(said('expired', 'failed')).toBe('Closed unanswered: message failed')
  expect([said('planned', 'failed'), said('opened', 'failed')]).toEqual(['Planned', 'Opened'])
})

it('A lift is closed from the second of its closing time on, unless it was answered', () => {
  const [before, at] = [new Date(999), new Date(1000)]
  expect([closedBy(before, 'sent', at), closedBy(at, 'sent', at)]).toEqual(['sent', 'expired'])
  expect(['opened', 'responded', 'completed', 'planned'].map((state) => closedBy(at, state, at))).toEqual([
    ...['expired', 'responded', 'completed', 'planned'],
  ])
  expect(closedBy(at, 'opened', null)).toBe('opened')
})
