/** Tells our own site what failed in this browser; it hands it on to the monitor, where one is configured. */

type Kind = 'render' | 'error' | 'rejection' | 'console'

/** A page that fails over and over says so this often, and pauses when the site has heard enough. */
const MAX = 64
const PAUSE_MS = 60_000

const told = new Set<string>()
let quietUntil = 0

/** Each failure once. Refusals (4xx) are answers, and what failed on the server was reported there. */
export function reportError(kind: Kind, thrown: unknown): void {
  if (!isOn() || isAnswer(thrown) || told.size >= MAX || Date.now() < quietUntil) return
  const { message, stack = '' } = thrown instanceof Error ? thrown : { message: String(thrown) }
  if (!message || told.has(message)) return
  told.add(message)
  const report = {
    kind,
    message: message.slice(0, 2000),
    stack: stack.slice(0, 8000),
    path: location.pathname,
  }
  fetch('/reports', {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(report),
  }).then(
    ({ status }) => {
      if (status === 429) quietUntil = Date.now() + PAUSE_MS
    },
    () => {},
  )
}

/** From now on, whatever nobody catches, and whatever is written to the console as an error. */
export function watchErrors(): void {
  if (!isOn()) return
  addEventListener('error', ({ error, message }) => reportError('error', error ?? message))
  addEventListener('unhandledrejection', ({ reason }) => reportError('rejection', reason))
  // biome-ignore lint/suspicious/noConsole: what others write there is what it hears
  const write = console.error
  console.error = (...said: unknown[]) => {
    write(...said)
    reportError('console', said.find((one) => one instanceof Error) ?? said.map(String).join(' '))
  }
}

const isOn = () => document.body?.dataset.reportErrors === 'true'

/** An answer of the site, as the router throws it; or the plain words that stand for a failure on the server. */
function isAnswer(thrown: unknown): boolean {
  if (thrown instanceof Error)
    return thrown.message === 'Unexpected Server Error' || thrown.name === 'AbortError'
  return typeof (thrown as { status?: unknown } | null)?.status === 'number'
}
