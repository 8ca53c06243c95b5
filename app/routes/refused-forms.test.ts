import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { refuse } from '#app/api/refuse.server.ts'
import { readForm } from './read-form.server.ts'

const typed = new FormData()
typed.set('name', 'A long thought')
const submission = readForm(typed, z.object({ name: z.string() }))

describe('A form that the API refused for the moment', () => {
  it.each([
    [429, Response.json({ detail: 'Too many requests.' }, { status: 429 })],
    [503, new Error('The service is not available right now.', { cause: { status: 503 } })],
  ])('keeps what was typed: %s', async (status, error) => {
    const answer = await refuse(submission, error)
    expect(answer.init?.status).toBe(status)
    expect(answer.data.initialValue).toEqual({ name: 'A long thought' })
    expect(answer.data.error?.['']?.[0]).toContain('What you typed is still here.')
  })

  it('is distinguished from an error, which is thrown', async () => {
    const broken = new Error('Something went wrong', { cause: { status: 500 } })
    await expect(refuse(submission, broken)).rejects.toBe(broken)
  })
})
