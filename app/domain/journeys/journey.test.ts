import { describe, expect, it } from 'vitest'
import { isClosed, isRunning, JOURNEY_STATUSES, mayMove } from './journey-status.ts'

describe('The states of a journey', () => {
  it('never lead back to draft, or out of the archive', () => {
    expect(mayMove('draft', 'active')).toBe(true)
    expect(mayMove('paused', 'active')).toBe(true)
    for (const status of JOURNEY_STATUSES) {
      expect(mayMove(status, 'draft')).toBe(false)
      expect(mayMove('archived', status)).toBe(false)
      expect(isClosed(status) && isRunning(status)).toBe(false)
    }
  })
})
