/** What happened as a file, with the filters of the list. */
import { Refusal } from '../errors.ts'
import type { Scope } from '../scope/scope.server.ts'
import { countUpTo, TOO_COMMON } from '../search.server.ts'
import { toCsv } from '../text/csv.ts'
import type { AuditQuery } from './audit-event.ts'
import { matchingEvents, readEvents } from './list-events.server.ts'

/** A log that was cut would pass for a whole one. */
const MAX_EXPORTED = 50_000
const TOO_MANY = 'That is more than 50,000 lines. Please narrow it down with the filters.'

export async function exportAuditEvents(scope: Scope, query: AuditQuery): Promise<string> {
  const { matching, founds } = await matchingEvents(scope, query)
  if (!founds.every(({ is_all }) => is_all)) throw new Refusal(409, TOO_COMMON)
  if ((await countUpTo(scope, matching.select('e.id'), MAX_EXPORTED)) > MAX_EXPORTED)
    throw new Refusal(409, TOO_MANY)
  const events = await readEvents(scope, matching, MAX_EXPORTED, 0)
  const head = [
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
  ]
  return toCsv([
    head,
    ...events.map(
      ({ id, at, actor, api_key, on_behalf_of, on_behalf_of_name, sub_tenant, action, subject, changes }) => [
        id,
        at,
        actor?.id,
        actor?.email,
        actor?.name,
        api_key?.name,
        on_behalf_of,
        on_behalf_of_name,
        sub_tenant,
        action,
        subject.type,
        subject.id,
        subject.name,
        JSON.stringify(changes),
      ],
    ),
  ])
}
