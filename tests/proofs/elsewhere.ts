/** For guards that no cell of the matrix notices: finds a test that fails without them. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Tests of what the matrix does not cover: tokens and sessions, people without a role, things in special states. */
const TESTS = [
  'analytics',
  'api-keys',
  'assessment-figures',
  'assessment-readers',
  'assessments',
  'auth-bearer',
  'auth-embedded',
  'auth-flow',
  'auth-session-list',
  'cognito-sign-in',
  'erasure-meanwhile',
  'erasure-queue',
  'exports',
  'guards',
  'journey-messages',
  'mail-stops',
  'out-meanwhile',
  'pools',
  'privacy',
  'purging',
  'responses',
  'scores',
  'sponsors',
  'users',
  'weekly-summary',
] as const

type Red = { test: string; name: string }

export function createElsewhere(databaseUrl: string) {
  let measuring: Promise<Map<string, Set<string>>> | undefined

  /** Which guards each test reaches: a test can only notice those. */
  async function measure(): Promise<Map<string, Set<string>>> {
    const folder = await mkdtemp(join(tmpdir(), 'guards-'))
    const met = new Map<string, Set<string>>()
    for (const test of TESTS) {
      const file = join(folder, test)
      const name = await run(test, { REACHED_GUARDS: file })
      if (name) throw new Error(`${test} is red before anything was taken away: ${name}`)
      met.set(test, new Set(readFileSync(file, 'utf8').split('\n')))
    }
    await rm(folder, { recursive: true })
    return met
  }

  /** The name of the first failing test, or null; stops there. */
  async function run(test: string, env: Record<string, string>): Promise<string | null> {
    const args = ['run', '--config', 'tests/proofs/vitest.config.ts', '--bail', '1']
    const child = spawn('node_modules/.bin/vitest', [...args, `/${test}.test.ts`], {
      env: { ...process.env, NO_COLOR: '1', DATABASE_URL: databaseUrl, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    if (code === 0) return null
    const [, name] = said.match(/FAIL +\S+ +(.*)/) ?? []
    if (!name) throw new Error(`${test} did not run: ${said.slice(-2000)}`)
    return name
  }

  return {
    /** The first test that fails without the guard; tests that reach the fewest guards come first, as the most specific. */
    async firstRed(guard: string): Promise<Red | null> {
      measuring ??= measure()
      const met = [...(await measuring)].filter(([, guards]) => guards.has(guard))
      for (const [test] of met.sort(([, one], [, other]) => one.size - other.size)) {
        const name = await run(test, { REMOVED_GUARD: guard })
        if (name) return { test, name }
      }
      return null
    },
  }
}
