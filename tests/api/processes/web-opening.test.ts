import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { openFront } from './web-front.ts'

afterEach(() => vi.restoreAllMocks())

it('holds requests until it has started', async () => {
  const front = await openFront({ isStarting: true })
  const asked = [front.visit('/'), front.visit('/seen')]
  expect((await front.visit('/readyz')).status).toBe(503)
  expect(await Promise.race([...asked, sleep(300)])).toBeUndefined()
  front.openSite()
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200])
  await front.close()
})

it('answers 503 with Retry-After if the start takes too long or is stopped', async () => {
  const front = await openFront({ isStarting: true })
  const began = performance.now()
  const late = await front.visit('/')
  expect([late.status, late.headers.get('retry-after')]).toEqual([503, '2'])
  expect(performance.now() - began).toBeLessThan(9_000)
  const asked = front.visit('/')
  await sleep(100)
  const [answer] = await Promise.all([asked, front.drain(5_000)])
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  expect(performance.now() - began).toBeLessThan(7_000)
  await front.close()
})

it('becomes ready even if the clock was set back during the start', async () => {
  const front = await openFront({ isStarting: true })
  expect((await front.visit('/readyz')).status).toBe(503)
  const now = Date.now.bind(Date)
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000)
  front.openSite()
  await expect.poll(async () => (await front.visit('/readyz')).status, { timeout: 5_000 }).toBe(200)
  await front.close()
})
