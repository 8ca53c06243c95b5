/** A body takes as long as its sender likes: nobody else waits for it, and it is their last words only while they are in. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

/** A call whose body has begun; `end` sends the rest. */
function beginCall(who: 'adam' | 'aya', name: string) {
  const { tenant_id } = world.people[who]
  let end = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const text = JSON.stringify({ name, category: 'Sales' })
      controller.enqueue(new TextEncoder().encode(text.slice(0, 5)))
      end = () => {
        controller.enqueue(new TextEncoder().encode(text.slice(5)))
        controller.close()
      }
    },
  })
  const request = new Request('http://api.test/api/v1/lljs', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${who}`,
      'x-tenant-id': tenant_id,
      'content-type': 'application/json',
    },
    body,
    duplex: 'half',
  } as RequestInit)
  const answer = world.api.fetch(request, { caller: { token: who, principal: world.people[who] } })
  return { answer: Promise.resolve(answer), end: () => end() }
}

const statusOf = async ({ answer }: ReturnType<typeof beginCall>) => (await answer).status

it('Bodies that are still arriving hold no transaction', async () => {
  const slow = Array.from({ length: 30 }, (_, nth) => beginCall('adam', `Slow ${nth}`))
  await new Promise((later) => setTimeout(later, 100))
  expect((await world.call('aya', 'GET', '/users/me')).status).toBe(200)
  for (const { end } of slow) end()
  expect(new Set(await Promise.all(slow.map(statusOf)))).toEqual(new Set([201]))
})

it('Somebody who is let out while their body arrives writes nothing', async () => {
  const slow = beginCall('aya', 'Too late')
  await new Promise((later) => setTimeout(later, 1100))
  slow.end()
  // The token is looked up again, and this one is none.
  expect(await statusOf(slow)).toBe(401)
  const { data } = await world.must('adam', 'GET', '/lljs?q=Too')
  expect(data).toEqual([])
})
