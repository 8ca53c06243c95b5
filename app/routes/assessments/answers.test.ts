import { describe, expect, it } from 'vitest'
import type { ApiClient } from '#app/api/client.server.ts'
import { saveAnswers } from './answers.server.ts'

const PARAMS = { journeyId: '1', userId: '2' }
const typed = { intent: 'save', assessment: '3', rater: 'self', revision: '1', 'text:7': 'A long thought' }

const save = (refusal: unknown) => {
  const api = (() => Promise.reject(refusal)) as unknown as ApiClient
  const body = new URLSearchParams(typed)
  return saveAnswers(api, PARAMS, new Request('http://site.test/', { method: 'POST', body }))
}

describe('Answers that were not saved', () => {
  it.each([
    [429, Response.json({ detail: 'Too many requests.' }, { status: 429 })],
    [503, new Error('The service is not available right now.', { cause: { status: 503 } })],
  ])('because of a temporary refusal stay in their fields: %s', async (status, error) => {
    const answer = await save(error)
    expect(answer).toMatchObject({ data: { typed }, init: { status } })
    expect(JSON.stringify(answer)).toContain('What you typed is still here.')
  })

  it.each([403, 404])('because the page is no longer available are shown to copy: %s', async (status) => {
    const refused = save(Response.json({ detail: 'Not found' }, { status }))
    await expect(refused).rejects.toMatchObject({
      data: { kept_words: [{ text: 'A long thought' }] },
      init: { status },
    })
  })
})
