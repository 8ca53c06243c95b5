/** Guards that no cell of the matrix can meet, and the test that turns red without them. */
import { spawn } from 'node:child_process'
import type { Guard } from './guards.ts'

type Elsewhere = { file: string; words?: string; test: string }

/** `words` are the first of the guard's own; without them it is each of the file's that the matrix does not miss. */
const ELSEWHERE: readonly Elsewhere[] = [
  // The matrix sends no tokens and has no sessions.
  { file: 'app/auth/tokens.server.ts', words: 'nonce !== null', test: 'auth-flow' },
  { file: 'app/auth/tokens.server.ts', words: 'Array.isArray(claims.aud)', test: 'auth-flow' },
  { file: 'app/auth/tokens.server.ts', words: "'token_use' in claims", test: 'auth-flow' },
  { file: 'app/auth/tokens.server.ts', test: 'auth-bearer' },
  { file: 'app/auth/bearer.server.ts', test: 'auth-bearer' },
  { file: 'app/auth/cognito/session.server.ts', test: 'cognito-sign-in' },
  { file: 'app/auth/session-list.server.ts', test: 'auth-session-list' },
  { file: 'app/domain/account/own-security.server.ts', words: '!pending', test: 'auth-embedded' },
  { file: 'app/api/scoped.server.ts', words: '!hasFactor', test: 'auth-embedded' },
  // Somebody whom no call makes: without a role, gone between two looks, or with a database open to them.
  { file: 'app/domain/users/users.server.ts', words: "!may(scope.actor, 'users:view')", test: 'guards' },
  { file: 'app/domain/users/current-user.server.ts', words: '!user', test: 'guards' },
  { file: 'app/domain/tenants/find-tenant.server.ts', words: '!isOperator(scope.actor)', test: 'guards' },
  { file: 'app/domain/privacy/addresses.server.ts', words: 'mayStillWrite', test: 'erasure-queue' },
  { file: 'app/domain/tenants/restoring.server.ts', words: '!is_still_there', test: 'purging' },
  // A second thing, named beside the one in the path, or a thing in a state of its own.
  { file: 'app/auth/pool-editing.server.ts', words: 'tenant.is_operator', test: 'pools' },
  { file: 'app/domain/participants/changing.server.ts', test: 'guards' },
  { file: 'app/domain/participants/members.server.ts', test: 'guards' },
  { file: 'app/domain/planning/preview.server.ts', test: 'guards' },
  { file: 'app/domain/assessments/filling.server.ts', words: '!form', test: 'assessments' },
  { file: 'app/domain/assessments/learner.server.ts', test: 'assessments' },
  // People of several parts.
  { file: 'app/domain/users/changing.server.ts', words: '!mayEditUser', test: 'guards' },
  { file: 'app/domain/users/changing.server.ts', words: 'stored.is_super_admin', test: 'guards' },
  { file: 'app/domain/users/changing.server.ts', test: 'users' },
  { file: 'app/domain/users/roles.server.ts', test: 'users' },
]

export const testElsewhereOf = ({ file, words }: Guard): string | undefined =>
  ELSEWHERE.find((one) => one.file === file && words.startsWith(one.words ?? ''))?.test

/** Runs the tests of a file until the first one is red; null where none is. */
export async function firstRedElsewhere(test: string, removed: string, url: string): Promise<string | null> {
  const args = [
    'run',
    '--config',
    'tests/proofs/vitest.config.ts',
    '--bail',
    '1',
    `tests/api/${test}.test.ts`,
  ]
  const child = spawn('node_modules/.bin/vitest', args, {
    env: { ...process.env, NO_COLOR: '1', REMOVED_GUARD: removed, DATABASE_URL: url },
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
