import { describe, expect, it } from 'vitest'
import { refuseWords } from './refuse-words.server.ts'

describe('A sponsor’s words that were not taken', () => {
  it.each([
    [429, Response.json({ detail: 'Too many requests.' }, { status: 429 })],
    [503, new Error('The service is not available right now.', { cause: { status: 503 } })],
  ])('for a moment come back to their field: %s', async (status, error) => {
    const answer = await refuseWords(error, 'Well done')
    expect(answer).toMatchObject({ data: { text: 'Well done' }, init: { status } })
    expect(answer.data.problem).toContain('What you typed is still here.')
  })

  it('because the learner has another sponsor now go with the refusal', async () => {
    const gone = Response.json({ detail: 'Not found' }, { status: 404 })
    await expect(refuseWords(gone, 'Well done')).rejects.toBe(gone)
  })
})
