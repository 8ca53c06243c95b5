import { describe, expect, it } from 'vitest'
import { refuseWords } from './refuse-words.server.ts'

describe('A sponsor’s text that was not saved', () => {
  it.each([
    [429, Response.json({ detail: 'Too many requests.' }, { status: 429 })],
    [503, new Error('The service is not available right now.', { cause: { status: 503 } })],
  ])('because of a temporary refusal stays in its field: %s', async (status, error) => {
    const answer = await refuseWords(error, 'Well done')
    expect(answer).toMatchObject({ data: { text: 'Well done' }, init: { status } })
    expect(answer.data.problem).toContain('What you typed is still here.')
  })

  it('because the learner is no longer assigned to the sponsor is refused without the field', async () => {
    const gone = Response.json({ detail: 'Not found' }, { status: 404 })
    await expect(refuseWords(gone, 'Well done')).rejects.toBe(gone)
  })
})
