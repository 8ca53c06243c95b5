/** The tests that go by the time of day. Those without a site of their own share what they load: that is half their time. */
import { defineConfig } from 'vitest/config'

const suite = (name: string, include: string, isolate: boolean) => ({
  test: {
    ...{ name, include: [include], isolate },
    globalSetup: ['tests/support/postgres.ts'],
    setupFiles: ['tests/support/environment.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})

export default defineConfig({
  root: process.cwd(),
  test: {
    maxWorkers: 2,
    retry: 1,
    onUnhandledError: (error) => (error as { code?: unknown }).code !== '57P01',
    projects: [
      suite('unit', 'app/**/*.test.ts', false),
      suite('api', 'tests/api/**/*.test.ts', false),
      suite('screens', 'tests/screens/**/*.test.ts', true),
    ],
  },
})
