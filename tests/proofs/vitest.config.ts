/** The tests with one guard of the program removed, which REMOVED_GUARD names. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { instrument, isGuarded } from './guards.ts'

const root = process.cwd()

export default defineConfig({
  root,
  plugins: [
    {
      name: 'removable-guards',
      enforce: 'pre',
      load: (id) => (isGuarded(id) ? instrument(readFileSync(id, 'utf8'), relative(root, id)) : null),
    },
  ],
  test: {
    name: 'api',
    include: ['tests/api/**/*.test.ts'],
    globalSetup: ['tests/support/postgres.ts'],
    setupFiles: ['tests/support/environment.ts', 'tests/proofs/remove-guard.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    onUnhandledError: (error) => (error as { code?: unknown }).code !== '57P01',
  },
})
