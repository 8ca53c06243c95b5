import { expect, it } from 'vitest'
import type { JobContext } from '#app/jobs/context.ts'
import { beginLifts } from './begin-lifts.server.ts'

/** The first transaction fails; the next gives the message back. */
function beginAfter(code: string) {
  const asked: string[] = []
  const [begun] = beginLifts({} as JobContext, [7], {
    owner: 'one/1',
    signal: new AbortController().signal,
    async inTenant() {
      asked.push('transaction')
      if (asked.length === 1) throw Object.assign(new Error('not now'), { code })
      return undefined as never
    },
  })
  return { begun, asked }
}

it('A message that has waited for an edit too long is given back, and has not failed', async () => {
  const { begun, asked } = beginAfter('55P03')
  expect(await begun).toBeNull()
  expect(asked).toHaveLength(2)
})

it('One that a deadlock ended is given back, and has failed', async () => {
  const { begun, asked } = beginAfter('40P01')
  await expect(begun).rejects.toThrow('not now')
  expect(asked).toHaveLength(2)
})
