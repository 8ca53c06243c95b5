/** What happened in the current tenant, for its administrators. */
import { createRoute, z } from '@hono/zod-openapi'
import { AuditPage, AuditQuery } from '#app/domain/audit/audit-event.ts'
import { exportAuditEvents, listAuditEvents } from '#app/domain/audit/list-events.server.ts'
import { answer, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Audit log']

const list = createRoute({
  method: 'get',
  path: '/',
  tags,
  summary: 'A page of what happened, newest first; inside a sub-tenant only what happened there',
  request: { query: AuditQuery },
  responses: { 200: answer(AuditPage), ...refusals },
})

const download = createRoute({
  method: 'get',
  path: '/export',
  tags,
  summary: 'The same as CSV, without pages',
  request: { query: AuditQuery },
  responses: { 200: { description: 'CSV', content: { 'text/csv': { schema: z.string() } } }, ...refusals },
})

export const auditApi = createRouter()
  .openapi(list, async (c) => c.json(await listAuditEvents(c.var.scope, c.req.valid('query')), 200))
  .openapi(download, async (c) =>
    c.body(await exportAuditEvents(c.var.scope, c.req.valid('query')), 200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit-log.csv"',
      'x-content-type-options': 'nosniff',
    }),
  )
