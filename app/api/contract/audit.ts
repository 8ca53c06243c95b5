/** What happened in the current tenant, for its administrators. */

import { AuditPage, AuditQuery } from '#app/domain/audit/audit-event.ts'
import { callsAbout, fileOf } from './call.ts'
import { whenFiltered } from './dear.ts'
import { EXPORTS } from './limits.ts'

const { get } = callsAbout('Audit log')

export const listAuditEvents = get('/audit_events', {
  does: 'A page of what happened, newest first; inside a sub-tenant only what happened there',
  may: 'view audit log',
  query: AuditQuery,
  answers: AuditPage,
  dear: whenFiltered,
})

export const exportAuditEvents = get('/audit_events/export', {
  does: 'The same as CSV, without pages',
  may: 'view audit log',
  query: AuditQuery,
  answers: fileOf('text/csv', 'CSV'),
  perPerson: EXPORTS,
  dear: true,
  replica: 'caught up',
})
