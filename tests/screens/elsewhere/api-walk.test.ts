/** Runs the commands of docs/api.md unchanged. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

it('the walk leads from an API key to a launched journey, with curl alone', async () => {
  const grace = await site.visitor('grace@harbor.example')
  const key = { name: 'Course planner', role: 'admin', expires_in_days: '30' }
  const made = await grace.submit('/settings/company/keys/new', key)
  const KEY = /value="(lw_[0-9a-f]{64})"/.exec(await made.text())?.[1]

  const walk = /```sh\n([\s\S]*?)```/.exec(readFileSync('docs/api.md', 'utf8'))?.[1] ?? ''
  const env = { ...process.env, KEY, API: `${site.origin}/api/v1` }
  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', walk], { env })

  expect(stdout.trim().split(/\r?\n/)).toEqual([
    'ratelimit-limit: 300',
    'ratelimit-remaining: 299',
    expect.stringMatching(/^ratelimit-reset: \d+$/),
    expect.stringMatching(/^\d+$/),
    expect.stringContaining('"Lee Moreau"'),
    '[1,[],[]]',
    'scheduled',
    'Course planner launched Safer handovers',
  ])
})
