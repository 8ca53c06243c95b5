import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'
import { expect, it } from 'vitest'
import type { Front } from '#app/web/front.server.ts'
import { keepAsking } from '#tests/support/askers.ts'
import { openFront } from './web-front.ts'

/** Answers slowly, and sometimes blocks the processor, as rendering a page does. */
function busySite() {
  const site = express()
  let turn = 0
  site.get('/page', async (_req, res) => {
    turn += 1
    await sleep((turn * 7) % 60)
    const drawn = performance.now() + (turn % 5)
    while (performance.now() < drawn);
    res.send('page')
  })
  site.get('/begun', (_req, res) => {
    res.write('first, ')
    setTimeout(() => res.end('last'), 1500)
  })
  site.get('/long', (_req, res) => {
    res.end(Buffer.alloc(LONG_BYTES))
  })
  return site
}

/** More than the buffers of a connection hold. */
const LONG_BYTES = 20_000_000

/** The number of bytes that a slow client gets, a megabyte at a time. */
function readSlowly(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(address, (answer) => {
      let read = 0
      const reading = setInterval(() => (read += (answer.read(1_000_000) ?? answer.read())?.length ?? 0), 100)
      answer.once('end', () => resolve(read)).once('error', reject)
      answer.once('close', () => clearInterval(reading))
    })
      .once('error', reject)
      .end()
  })
}

/** Draining ends because everything is answered, not because of its deadline. */
async function expectDrained(front: Pick<Front, 'drain'>): Promise<void> {
  const began = performance.now()
  await front.drain(25_000)
  expect(performance.now() - began).toBeLessThan(20_000)
}

it.each([1, 2, 3, 4, 5])('cuts off none of 20 connections that keep sending requests (%i)', async () => {
  const front = await openFront({ site: busySite() })
  const { asked, ended } = keepAsking(front.origin, 20, () => ({
    path: '/page',
  }))
  await expect.poll(() => asked.answered, { timeout: 20_000 }).toBeGreaterThan(100)
  await expectDrained(front)
  await ended
  expect(asked.cut).toEqual([])
  expect(asked.statuses).toEqual({ 200: asked.answered })
  await front.close()
})

it('closes the connection with every response, even to requests that were already running', async () => {
  const front = await openFront()
  const held = front.visit('/held')
  await front.untilHeld(1)
  const drained = front.drain(6000)
  front.release()
  expect((await held).headers.get('connection')).toBe('close')
  expect((await front.visit('/')).headers.get('connection')).toBe('close')
  await drained
})

it('finishes a response that had already begun, and then ends', async () => {
  const front = await openFront({ site: busySite() })
  const begun = await front.visit('/begun')
  const drained = front.drain(6000)
  expect(await begun.text()).toBe('first, last')
  await drained
})

it('lets a slow client read the whole response', async () => {
  const front = await openFront({ site: busySite() })
  const read = readSlowly(`${front.origin}/long`)
  await sleep(200)
  await expectDrained(front)
  expect(await read).toBe(LONG_BYTES)
  await front.close()
})

it.each([20, 150])(
  'still answers a client that comes back after %i ms, before it stops listening',
  async (after) => {
    const front = await openFront()
    const drained = front.drain(6000)
    const took: number[] = []
    for (let began = performance.now(); ; began = performance.now()) {
      const answer = await front.visit('/').catch(() => null)
      if (!answer) break
      await answer.text()
      took.push(performance.now() - began)
      await sleep(after)
    }
    await drained
    // The last request was accepted before the listener closed.
    expect(took.at(-1)).toBeGreaterThan(50)
    await front.close()
  },
)

it('does not wait for connections without a request', async () => {
  const front = await openFront()
  const speechless = connect(front.port, '127.0.0.1')
  const idle = connect(front.port, '127.0.0.1')
  idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(idle, 'data')
  await expectDrained(front)
  speechless.destroy()
  idle.destroy()
})

it('at its deadline answers GET requests with 503, and cuts off requests that may have changed data', async () => {
  const front = await openFront()
  const read = front.visit('/held')
  const changed = front
    .visit('/held', { method: 'POST', headers: { origin: front.origin } })
    .catch(() => 'cut off')
  await front.untilHeld(2)
  await front.drain(900)
  expect([(await read).status, (await read).headers.get('retry-after')]).toEqual([503, '1'])
  expect(await (await read).text()).toContain('Please try again in a moment.')
  expect(await changed).toBe('cut off')
  expect(front.lines()).toContainEqual(
    expect.objectContaining({ event: 'process.unanswered', unanswered: 2 }),
  )
})
