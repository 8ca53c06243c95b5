/** Reports failures to Sentry when `SENTRY_DSN` is set. Refusals are answers, not failures: they are not reported. */
import { getConfig } from '#app/config.server.ts'
import { log } from './log.server.ts'
import { unhandledRejections } from './metrics.server.ts'
import { concealFields, concealText } from './redaction.server.ts'

type Tags = Record<string, string | number>
type Report = (error: unknown, tags: Tags, user?: number) => void

const isRefusal = (status: number | undefined) => status !== undefined && status >= 400 && status <= 404

/**
 * Never throws and never waits: an unreachable monitor must not hold up a visitor. Of the person, only the id (`user`)
 * is sent.
 */
export function reportFailure(error: unknown, tags: Tags = {}, user?: number): void {
  if (!reporter || isRefusal(statusOf(error))) return
  reporter
    .then((report) => report(error, tags, user))
    .catch((err) => log.warn({ event: 'monitoring.failed', err }, 'a failure could not be reported'))
}

/** An unhandled rejection is a mistake of ours, but no reason to stop serving. */
export function reportRejection(err: unknown): void {
  log.error({ event: 'process.unhandledRejection', err }, 'a failure that nobody waited for')
  unhandledRejections.inc()
  reportFailure(err)
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
  return (error, tags, user) => {
    Sentry.captureException(error, { tags, ...(user !== undefined && { user: { id: user } }) })
  }
}

const conceal = <Event extends object>(event: Event): Event =>
  JSON.parse(concealText(JSON.stringify(concealFields(event as Record<string, unknown>))))

const { SENTRY_DSN } = getConfig()
/** Opened with the process, because it takes a second that no visitor should wait for. */
const reporter = SENTRY_DSN ? openSentry(SENTRY_DSN) : undefined
reporter?.catch((err) => log.error({ event: 'monitoring.failed', err }, 'failures cannot be reported'))
