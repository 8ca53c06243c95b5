/** The audit log as a file, with the filters of the list. */
import { sql } from 'kysely'
import { Refusal } from '../errors.ts'
import type { Scope } from '../scope/scope.server.ts'
import { TOO_COMMON } from '../search.server.ts'
import { CSV_START, csvLine } from '../text/csv.ts'
import { inParts } from '../text/in-parts.ts'
import type { AuditEvent, AuditQuery } from './audit-event.ts'
import { matchingEvents, readEvents } from './list-events.server.ts'

/** A truncated log would be taken for a complete one. */
const MAX_EXPORTED = 50_000
const TOO_MANY = 'That is more than 50,000 lines. Please narrow it down with the filters.'
const AT_ONCE = 1_000

const HEAD = [
  'id',
  'at',
  'actor_id',
  'actor_email',
  'actor_name',
  'api_key',
  'on_behalf_of',
  'on_behalf_of_name',
  'sub_tenant',
  'action',
  'subject',
  'subject_id',
  'subject_name',
  'changes',
  'names',
]

export async function exportAuditEvents(
  scope: Scope,
  query: AuditQuery,
): Promise<ReadableStream<Uint8Array>> {
  const { matching, founds } = await matchingEvents(scope, query)
  if (!founds.every(({ is_all }) => is_all)) throw new Refusal(409, TOO_COMMON)
  const found = await matching
    .select('e.id')
    .orderBy('e.at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(MAX_EXPORTED + 1)
    .execute()
  if (found.length > MAX_EXPORTED) throw new Refusal(409, TOO_MANY)
  // Encoded in batches: fifty thousand lines as objects, and then as one string, would need several times the memory.
  const parts: Uint8Array[] = [Buffer.from(CSV_START + csvLine(HEAD))]
  for (let at = 0; at < found.length; at += AT_ONCE) {
    const ids = found.slice(at, at + AT_ONCE).map(({ id }) => id)
    const these = scope.db.selectFrom('audit_events as e').where(sql<boolean>`e.id = any(${ids}::bigint[])`)
    const lines = await readEvents(scope, these, AT_ONCE, 0)
    parts.push(Buffer.from(lines.map((line) => csvLine(toRow(line))).join('')))
  }
  return inParts(parts)
}

const toRow = ({ actor, api_key, subject, changes, names, ...line }: AuditEvent) => [
  line.id,
  line.at,
  actor?.id,
  actor?.email,
  actor?.name,
  api_key?.name,
  line.on_behalf_of,
  line.on_behalf_of_name,
  line.sub_tenant,
  line.action,
  subject.type,
  subject.id,
  subject.name,
  JSON.stringify(changes),
  JSON.stringify(names),
]
