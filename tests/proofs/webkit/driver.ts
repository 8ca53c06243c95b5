/** WebKit, the engine of Safari, by the WebDriver protocol (W3C) in a virtual display. Needs Debian's packages. */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#tests/support/process.ts'

export type Browser = Awaited<ReturnType<typeof openWebKit>>

/** The name of the field with an element's id (W3C WebDriver, 12.1). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const START_MS = 15_000
const PAGE_MS = 10_000

export async function openWebKit() {
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  if (!binary) throw new Error('There is no WebKit: apt-get install webkit2gtk-driver xvfb dbus')
  const port = await freePort()
  const screen = ['-a', '-s', '-screen 0 1400x1000x24']
  const driver = ['dbus-run-session', 'WebKitWebDriver', `--port=${port}`]
  const child = spawn('xvfb-run', [...screen, ...driver], {
    // As root it has no sandbox; its pages are ours.
    env: { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', LIBGL_ALWAYS_SOFTWARE: '1' },
    stdio: 'ignore',
    detached: true,
  })
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: Record<string, string> }
    if (!response.ok) throw new Error(`${path}: ${value.error}, ${value.message}`)
    return value as unknown
  }
  for (const until = Date.now() + START_MS; Date.now() < until; await sleep(100))
    if (await ask('GET', '/status').catch(() => null)) break
  const options = { binary, args: ['--automation'] }
  const always = {
    browserName: 'MiniBrowser',
    acceptInsecureCerts: true,
    'webkitgtk:browserOptions': options,
  }
  const session = (await ask('POST', '/session', { capabilities: { alwaysMatch: always } })) as {
    sessionId: string
  }
  const at = `/session/${session.sessionId}`
  await ask('POST', `${at}/timeouts`, { pageLoad: PAGE_MS })
  const run = <Result>(script: string) =>
    ask('POST', `${at}/execute/sync`, { script, args: [] }) as Promise<Result>
  const find = async (css: string) => {
    const found = await ask('POST', `${at}/element`, { using: 'css selector', value: css })
    return (found as Record<string, string>)[ELEMENT]
  }
  return {
    run,
    /** Throws after a while where no page comes. */
    open: (url: string) => ask('POST', `${at}/url`, { url }).then(() => true),
    resize: (width: number, height: number) => ask('POST', `${at}/window/rect`, { width, height }),
    forgetCookies: () => ask('DELETE', `${at}/cookie`),
    async type(css: string, text: string) {
      await ask('POST', `${at}/element/${await find(css)}/value`, { text })
    },
    async close() {
      await ask('DELETE', at).catch(() => {})
      if (child.pid) process.kill(-child.pid)
    },
  }
}
