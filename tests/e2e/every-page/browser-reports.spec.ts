/** Errors in a browser reach the monitor through the site, once each; refusals do not. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { expect } from '@playwright/test'
import { startProduct, test } from '../product.ts'

test.skip(({ javaScriptEnabled }) => !javaScriptEnabled, 'without JavaScript nothing fails in a browser')

test('errors in the browser reach the monitor once each, and a missing page is not reported', async ({
  page,
}) => {
  let received = ''
  const monitor = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.on('end', () => {
      const body = Buffer.concat(chunks)
      received += req.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
      res.end('{}')
    })
  })
  await new Promise<void>((done) => monitor.listen(0, '127.0.0.1', done))
  const { port } = monitor.address() as AddressInfo
  const site = await startProduct({ ROLE: 'web', SENTRY_DSN: `http://key@127.0.0.1:${port}/1` })
  try {
    await page.goto(`${site.origin}/login`)
    await page.waitForFunction(() => document.body.dataset.reportErrors === 'true')
    await page.waitForLoadState('networkidle')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/reports')) sent.push(request.postData() ?? '')
    })
    await page.evaluate(() => {
      console.error('canary of the console')
      console.error('canary of the console')
      setTimeout(() => {
        throw new Error('canary that nobody caught')
      })
      Promise.reject(new Error('canary of a promise'))
    })
    for (const canary of ['canary of the console', 'canary that nobody caught', 'canary of a promise'])
      await expect.poll(() => received, { timeout: 15_000 }).toContain(canary)
    expect(sent).toHaveLength(3)
    expect(received).toContain('"source":"browser"')

    await page.goto(`${site.origin}/login/nowhere`)
    await page.waitForLoadState('networkidle')
    expect(sent).toHaveLength(3)
  } finally {
    await site.stop()
    monitor.closeAllConnections()
    monitor.close()
  }
})
