/** Failures that browsers report to our own address: logged, counted, and passed to the monitor. */
import express, { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { z } from 'zod'
import type { Logger } from '#app/integrations/log.server.ts'
import { browserFailures } from '#app/integrations/metrics.server.ts'
import { reportFailure } from '#app/integrations/monitoring.server.ts'
import { concealText } from '#app/integrations/redaction.server.ts'

const BYTES = '16kb'

const Report = z.object({
  kind: z.enum(['render', 'error', 'rejection', 'console']),
  message: z.string().min(1).max(2000),
  stack: z.string().max(8000).default(''),
  path: z.string().max(500).default(''),
})

/** A browser's own report of a Content-Security-Policy violation. */
const Violations = z
  .array(
    z.object({
      type: z.literal('csp-violation'),
      body: z.object({
        effectiveDirective: z.string().max(100).default(''),
        blockedURL: z.string().max(2000).default(''),
        sourceFile: z.string().max(2000).nullish(),
      }),
    }),
  )
  .min(1)
  .max(20)

export const REPORTS_PATH = '/reports'

export function browserReports(log: Logger): Router {
  const router = Router()
  router.post(
    REPORTS_PATH,
    express.json({ limit: BYTES, type: ['application/json', 'application/reports+json'] }),
    (req, res) => {
      if (takeReport(log, req, res)) return void res.status(204).end()
      refuse(res)
    },
  )
  router.use(REPORTS_PATH, ((error, _req, res, next) => {
    if (res.headersSent || typeof error.status !== 'number') return next(error)
    refuse(res, error.status)
  }) satisfies ErrorRequestHandler)
  return router
}

const refuse = (res: Response, status = 400) =>
  void res.status(status).type('text').send('This is not a report.\n')

function takeReport(log: Logger, req: Request, res: Response): boolean {
  const { request_id } = res.locals
  const violations = Violations.safeParse(req.body)
  if (violations.success) {
    browserFailures.inc({ kind: 'policy' }, violations.data.length)
    // Extensions violate the policy on any site: a line in the log is enough.
    for (const { body } of violations.data)
      log.info({ event: 'browser.policy', request_id, ...body, blockedURL: withoutQuery(body.blockedURL) })
    return true
  }
  const report = Report.safeParse(req.body)
  if (!report.success) return false
  const { kind, message, stack, path } = report.data
  browserFailures.inc({ kind })
  const where = withoutQuery(path)
  log.warn({ event: 'browser.failed', request_id, kind, path: where, message: concealText(message) })
  const error = Object.assign(new Error(message), { name: 'BrowserError', stack: stack || message })
  reportFailure(error, { source: 'browser', kind, path: where, request_id })
  return true
}

/** Queries can name people. */
const withoutQuery = (address: string) => address.replace(/[?#].*$/s, '')
