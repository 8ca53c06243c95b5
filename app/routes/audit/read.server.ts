/** What the screens of the audit log, of a company or of the platform, read; and their files. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportAuditEvents, listAuditEvents } from '#app/api/contract/audit.ts'
import type { AuditEvent } from '#app/domain/audit/audit-event.ts'
import { withNames } from '#app/domain/audit/numbered.ts'
import type { Visitor } from '#app/routes/guards.server.ts'
import { readAuditSearch } from './search.server.ts'
import { shortened } from './shortened.ts'

export async function readAuditLog(args: LoaderFunctionArgs, visitor: Visitor) {
  const { query, ...read } = await readAuditSearch(args, visitor)
  const { data: rows, pagination } = await visitor.api(listAuditEvents, query)
  const data = rows.map((event) => ({
    ...event,
    names: {},
    changes: shortened(withNames(event)) as AuditEvent['changes'],
  }))
  return { ...read, events: { data, pagination } }
}

export async function auditFile(args: LoaderFunctionArgs, visitor: Visitor): Promise<Response> {
  const { query } = await readAuditSearch(args, visitor)
  const answer = await visitor.api(exportAuditEvents, { ...query, page: null })
  const headers = ['content-type', 'content-disposition', 'x-content-type-options'].map(
    (name): [string, string] => [name, answer.headers.get(name) ?? ''],
  )
  return new Response(answer.body, { headers: [...headers, ['cache-control', 'no-store']] })
}
