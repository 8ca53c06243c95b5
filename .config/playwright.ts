/** Whole stories in a browser, with and without JavaScript. */
import { defineConfig } from '@playwright/test'
import { BROWSER_ARGUMENTS, findBrowser } from '../tests/e2e/browser.ts'

const executablePath = findBrowser()

export default defineConfig({
  testDir: '../tests/e2e',
  outputDir: '../test-results',
  globalSetup: '../tests/e2e/seed.ts',
  // A third worker uses the time in which the others wait: for a clock, a process, PostgreSQL.
  workers: 3,
  fullyParallel: false,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // Tests that pass only on a retry are listed as flaky at the end.
  retries: 1,
  reporter: [['list']],
  forbidOnly: true,
  use: {
    locale: 'en-US',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: BROWSER_ARGUMENTS,
    },
  },
  projects: [
    { name: 'with-javascript', use: { javaScriptEnabled: true } },
    { name: 'without-javascript', use: { javaScriptEnabled: false } },
  ],
})
