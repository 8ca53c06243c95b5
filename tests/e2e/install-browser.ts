/** Makes sure there is a Chromium: Debian's where it can be installed, else Playwright's own. */
import { spawnSync } from 'node:child_process'
import { findBrowser, hasBrowser } from './browser.ts'

const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    .status === 0

if (!hasBrowser()) {
  const isRoot = process.getuid?.() === 0
  if (isRoot && run('apt-get', 'update', '-qq')) run('apt-get', 'install', '-y', '-qq', 'chromium')
  if (!findBrowser()) run('npx', 'playwright', 'install', 'chromium')
}
if (!hasBrowser()) {
  console.error('No Chromium was found and none could be installed: install Chromium or set CHROMIUM_PATH.')
  process.exit(1)
}
