/** An answer before the whole body was read keeps the connection usable: behind a proxy many people share it. */
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

type Asked = { method?: string; body?: Buffer; headers?: Record<string, string>; agent: Agent }

const ask = (path: string, { method = 'GET', body, headers, agent }: Asked) =>
  new Promise<{ status: number | undefined; port: number | undefined }>((resolve, reject) => {
    const asking = request(site.origin + path, { method, agent, headers }, (answer) => {
      const port = answer.socket.localPort
      answer.resume().on('end', () => resolve({ status: answer.statusCode, port }))
    })
    asking.setTimeout(3_000, () => asking.destroy(new Error(`no answer to ${method} ${path}`)))
    asking.on('error', reject)
    asking.end(body)
  })

it.each([
  ['/api/v1/lljs/import', 401, 'application/json'],
  ['/api/v1/lifts/1/responses', 401, 'application/json'],
  ['/users/import', 302, 'multipart/form-data; boundary=x'],
  ['/settings/company', 302, 'multipart/form-data; boundary=x'],
  ['/lift/5', 302, 'application/x-www-form-urlencoded'],
])('the connection stays usable after an early answer: %s', async (path, status, type) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const body = Buffer.alloc(1_900_000, 'a')
  const headers = { 'content-type': type, origin: site.origin }
  const refused = await ask(path, { method: 'POST', body, headers, agent })
  const next = await ask('/login', { agent })
  expect([refused.status, next.status]).toEqual([status, 200])
  // The connection was kept open.
  expect(next.port).toBe(refused.port)
  agent.destroy()
})
