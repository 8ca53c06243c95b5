/** Tests with the clock moved; those that run at every hour share their modules, one file after the other. */
import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { boundTo } from '../support/time-bound.ts'

const suites = globSync(['app/**/*.test.ts', 'tests/{api,screens}/**/*.test.ts'])

const project = (name: string, isolate: boolean) => ({
  test: {
    ...{ name, isolate },
    include: suites.filter((file) => (boundTo(file) === 'hour') !== isolate),
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
    projects: [project('together', false), project('apart', true)],
  },
})
