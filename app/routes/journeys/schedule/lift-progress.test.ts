import { expect, it } from 'vitest'
import { progressOf } from './lift-progress.tsx'

const NOBODY = { assigned: 0, pending: 0, accepted: 0, unknown: 0 }

it.each([
  ['ready', 'nobody has a turn yet', {}],
  ['planned', 'all messages wait', { assigned: 3, pending: 3 }],
  ['sending', 'some messages wait', { assigned: 3, accepted: 1, pending: 2 }],
  ['sent', 'all messages were sent', { assigned: 3, accepted: 3 }],
  ['sent', 'one message is unconfirmed and one failed', { assigned: 2, unknown: 1 }],
  ['unsent', 'it reached nobody', { assigned: 3 }],
])('A ready lift is %s when %s', (progress, _, counts) => {
  expect(progressOf({ status: 'ready', counts: { ...NOBODY, ...counts } }, 'active')).toBe(progress)
})

it.each([
  ['paused', 'paused', { assigned: 3, accepted: 1, pending: 2 }],
  ['paused', 'sent', { assigned: 3, accepted: 3 }],
  ['completed', 'unsent', {}],
  ['completed', 'unsent', { assigned: 1, pending: 1 }],
  ['archived', 'unsent', { assigned: 3 }],
  ['archived', 'sent', { assigned: 3, accepted: 1, pending: 2 }],
] as const)('A ready lift of a journey that is %s is %s', (journey, progress, counts) => {
  expect(progressOf({ status: 'ready', counts: { ...NOBODY, ...counts } }, journey)).toBe(progress)
})

it.each(['draft', 'retired'] as const)('A %s lift stays that, however many learners got it', (status) => {
  expect(progressOf({ status, counts: { ...NOBODY, assigned: 3, accepted: 3 } }, 'active')).toBe(status)
})
