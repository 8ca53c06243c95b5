/** Whole stories in a browser, each run twice: with and without JavaScript. */
import { defineConfig } from '@playwright/test'
import { BROWSER_ARGUMENTS, findBrowser } from './tests/e2e/browser.ts'
import { makeDataDir } from './tests/support/data-dir.ts'

// The configuration is read again in every worker: what the first reading decided is in the environment.
process.env.E2E_PORT ??= String(20_000 + Math.floor(Math.random() * 20_000))
process.env.E2E_DATA_DIR ??= makeDataDir('e2e')

const origin = `http://localhost:${process.env.E2E_PORT}`
const executablePath = findBrowser()

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  workers: 1,
  fullyParallel: false,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  retries: 1,
  reporter: [['list']],
  forbidOnly: true,
  use: {
    baseURL: origin,
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
  webServer: {
    command: 'npm start',
    url: `${origin}/readyz`,
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: {
      ...(process.env as Record<string, string>),
      NODE_ENV: 'production',
      PORT: process.env.E2E_PORT,
      DATA_DIR: process.env.E2E_DATA_DIR,
      PUBLIC_ORIGIN: origin,
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
    },
  },
})
