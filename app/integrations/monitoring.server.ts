/** Reports failures to Sentry when `SENTRY_DSN` is set. Refusals are answers, not failures: they are not reported. */
import { getConfig } from '#app/config.server.ts'
import { log } from './log.server.ts'
import { concealFields, concealText } from './redaction.server.ts'

type Tags = Record<string, string | number>
type Report = (error: unknown, tags: Tags) => void

let reporter: Promise<Report> | undefined

/** Statuses that say no to the visitor rather than confess a fault of ours. */
const isRefusal = (status: number | undefined) => status !== undefined && status >= 400 && status <= 404

/** Never throws, never waits: an unreachable monitor must not hold up a visitor. */
export function reportFailure(error: unknown, tags: Tags = {}): void {
  const { SENTRY_DSN } = getConfig()
  if (!SENTRY_DSN || isRefusal(statusOf(error))) return
  reporter ??= openSentry(SENTRY_DSN)
  reporter
    .then((report) => report(error, tags))
    .catch((err) => log.warn({ event: 'monitoring.failed', err }, 'a failure could not be reported'))
}

function statusOf(error: unknown): number | undefined {
  const status = (error as { status?: unknown } | null | undefined)?.status
  return typeof status === 'number' ? status : undefined
}

async function openSentry(dsn: string): Promise<Report> {
  const Sentry = await import('@sentry/remix')
  Sentry.init({
    dsn,
    maxBreadcrumbs: 100,
    sendDefaultPii: false,
    transportOptions: { bufferSize: 64 },
    beforeBreadcrumb: conceal,
    beforeSend: conceal,
  })
  return (error, tags) => {
    Sentry.captureException(error, { tags })
  }
}

const conceal = <Event extends object>(event: Event): Event =>
  JSON.parse(concealText(JSON.stringify(concealFields(event as Record<string, unknown>))))
