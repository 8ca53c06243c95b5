/** The Chromium for the stories: an installed one, or Playwright's own. */
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const INSTALLED = [
  process.env.CHROMIUM_PATH,
  // The headless shell needs a sixth less processor time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of an installed browser; undefined if there is only Playwright's own. */
export const findBrowser = (): string | undefined => INSTALLED.find((path) => path && existsSync(path))

export const hasBrowser = (): boolean => findBrowser() !== undefined || existsSync(chromium.executablePath())

export const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
