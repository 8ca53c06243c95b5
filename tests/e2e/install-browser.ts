/** Provides a Chromium: Debian's headless shell if it can be installed, else Playwright's own. */
import { spawnSync } from 'node:child_process'
import { hasBrowser } from './browser.ts'

const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    .status === 0

const isRoot = process.getuid?.() === 0
if (!hasBrowser() && isRoot && run('apt-get', 'update', '-qq'))
  run('apt-get', 'install', '-y', '-qq', 'chromium-headless-shell')
if (!hasBrowser()) run('npx', 'playwright', 'install', 'chromium')
if (!hasBrowser()) {
  console.error('No Chromium was found and none could be installed: install Chromium or set CHROMIUM_PATH.')
  process.exit(1)
}
