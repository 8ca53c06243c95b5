/** Reports failures in this browser to our own site, which passes them to the monitor, if one is configured. */

type Kind = 'render' | 'error' | 'rejection' | 'console'

/** The maximum number of reports of a page that keeps failing, and the pause after the site has refused more. */
const MAX = 64
const PAUSE_MS = 60_000

const told = new Set<string>()
let quietUntil = 0

/** Reports each failure once. Refusals (4xx) are expected, and failures on the server were reported there. */
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

/** Starts reporting uncaught errors, and errors written to the console. */
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

/** A response of the site, as thrown by the router, or the text that replaces a failure on the server. */
function isAnswer(thrown: unknown): boolean {
  if (thrown instanceof Error)
    return thrown.message === 'Unexpected Server Error' || thrown.name === 'AbortError'
  return typeof (thrown as { status?: unknown } | null)?.status === 'number'
}
