/** Reading the audit log. Rows are never changed; the newest come first. */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { AuditEvents } from '#app/db/schema.ts'
import { offsetOf } from '#app/domain/page.ts'
import { knownNameOf } from '#app/domain/text/full-name.server.ts'
import { may } from '../access/permissions.ts'
import { forbidden } from '../errors.ts'
import type { Scope } from '../scope/scope.server.ts'
import { countWithPage, type Found, findInEach, MAX_COUNT, paginateFound } from '../search.server.ts'
import { OUTSIDER } from '../text/learner-name.server.ts'
import { likePattern } from '../text/text.ts'
import { type AuditEvent, type AuditQuery, asRecorded, readSubject } from './audit-event.ts'
import { subTenantsIn, withSubTenants } from './changed-sub-tenants.ts'
import { type Numbered, numberedIn } from './numbered.ts'
import { findNamed, type Named, searchSubjects } from './subjects.server.ts'

export async function listAuditEvents(scope: Scope, query: AuditQuery) {
  const { matching, founds, byIndex } = await matchingEvents(scope, query)
  const before = offsetOf(query)
  const rows = before < MAX_COUNT ? await readEvents(scope, matching, query.per_page, before) : []
  const total = await countWithPage(scope, matching.select('e.id'), query, rows.length, MAX_COUNT, byIndex)
  return { data: rows, pagination: paginateFound(total, query, ...founds) }
}

const namesIn = (row: Numbered, named: ReadonlyMap<string, Named>) =>
  Object.fromEntries(
    numberedIn(row).flatMap(({ subject_type, subject_id }) => {
      const name = named.get(`${subject_type}:${subject_id}`)?.name
      return name ? [[`${subject_type}:${subject_id}`, name]] : []
    }),
  )

export async function matchingEvents(scope: Scope, query: AuditQuery) {
  if (!may(scope.actor, 'audit:view')) throw forbidden()
  const founds: Found[] = []
  const { sub_tenant_id } = scope.actor
  // The policies check this as well, but only a condition in the query can use the index.
  const inside = scope.db
    .selectFrom('audit_events as e')
    .$if(sub_tenant_id !== null, (of) => of.where('e.sub_tenant_id', '=', sub_tenant_id))
  let matching = inside
  if (query.actor && /^\d{1,15}$/.test(query.actor)) {
    matching = matching.where('e.actor_id', '=', Number(query.actor))
  } else if (query.actor) {
    const found = await findInEach(scope, ['users', 'audited actors'], query.actor)
    // Inside a sub-tenant, colleagues from elsewhere must not be found by an address that is not shown.
    const isShown = sub_tenant_id === null ? sql`true` : sql`e.on_behalf_of is not null`
    matching = matching.where(sql<boolean>`(e.actor_id = any(${found.get('users')?.ids}::bigint[])
      or (e.id = any(${found.get('audited actors')?.ids}::bigint[]) and ${isShown}))`)
    founds.push(...found.values())
  }
  if (query.on_behalf_of) matching = matching.where('e.on_behalf_of', '=', query.on_behalf_of)
  const actions = query.action ? await findActions(scope, query.action) : null
  if (actions) matching = matching.where('e.action', 'in', actions)
  if (query.subject) {
    const about = await searchSubjects(scope, query.subject)
    matching = matching.where(isAbout(query.subject, about.isNamed))
    founds.push(...about.founds)
  }
  if (query.from) matching = matching.where('e.at', '>=', new Date(query.from))
  if (query.to) matching = matching.where('e.at', '<', new Date(query.to))
  const byIndex = query.on_behalf_of || founds.length > 0 ? null : countByIndex(query, actions)
  return { matching, founds, byIndex }
}

const countByIndex = ({ actor, from, to }: AuditQuery, actions: string[] | null) =>
  sql<number | null>`count_audit_events(${MAX_COUNT + 1}, ${actions}::text[], ${actor ?? null}::bigint,
    ${from ? new Date(from) : null}::timestamptz, ${to ? new Date(to) : null}::timestamptz)`

/** The actions in the log that have or begin with the typed name, found value by value along the index. */
async function findActions({ db }: Scope, typed: string): Promise<string[]> {
  const words = asRecorded(typed)
  const inWords = words.replace(/[._\s-]+/g, ' ')
  const within = `${likePattern(words)
    .slice(1, -1)
    .replace(/[\s-]+/g, '\\_')}.%`
  const { rows } = await sql<{ action: string }>`with recursive known as (
      (select action from audit_events order by action limit 1)
      union all
      select (select action from audit_events where action > known.action order by action limit 1)
      from known where known.action is not null)
    select action from known where translate(action, '._', '  ') = ${inWords} or action like ${within}`.execute(
    db,
  )
  // No such action: an empty name matches no row.
  return rows.length > 0 ? rows.map(({ action }) => action) : ['']
}

/** Matches subjects by kind and id, or by a part of their current or recorded name. */
function isAbout(subject: string, isNamed: RawBuilder<boolean>) {
  const { type, id } = readSubject(subject)
  const isIt = id === null ? sql<boolean>`true` : sql<boolean>`e.subject_id = ${id}`
  return sql<boolean>`((e.subject_type = ${type} and ${isIt}) or ${isNamed})`
}

export async function readEvents(
  scope: Scope,
  matching: Awaited<ReturnType<typeof matchingEvents>>['matching'],
  limit: number,
  offset: number,
): Promise<AuditEvent[]> {
  const found = await matching
    // People of the platform do not belong to this tenant: their address is in the row itself.
    .leftJoin('users as u', 'u.id', 'e.actor_id')
    .leftJoin('sub_tenants as s', 's.id', 'e.sub_tenant_id')
    .leftJoin('tenants as t', 't.id', 'e.on_behalf_of')
    .selectAll('e')
    .select(['s.name as sub_tenant', 't.name as on_behalf_of_name'])
    .select([knownNameOf('u').as('name'), sql<boolean>`u.id is not null`.as('is_seen')])
    .orderBy('e.at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const rows = found.map((row) => ({ ...row, changes: row.changes as AuditEvent['changes'] }))
  const named = await namesNow(scope, [...rows, ...subTenantsIn(rows), ...rows.flatMap(numberedIn)])
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    actor: toActor(scope, row),
    api_key: row.api_key_id === null ? null : { id: row.api_key_id, name: row.api_key_name ?? '' },
    on_behalf_of: row.on_behalf_of,
    on_behalf_of_name: row.on_behalf_of_name,
    sub_tenant_id: row.sub_tenant_id,
    sub_tenant: row.sub_tenant,
    action: row.action,
    subject: toSubject(row, named.get(`${row.subject_type}:${row.subject_id}`)),
    changes: withSubTenants(row.changes, named) as AuditEvent['changes'],
    names: namesIn(row, named),
  }))
}

type Acted = Pick<Selectable<AuditEvents>, 'actor_id' | 'actor_email' | 'on_behalf_of'> & {
  name: string | null
  is_seen: boolean
}

/** Inside a sub-tenant, colleagues from elsewhere have neither name nor address, as in the lists. */
function toActor({ actor }: Scope, row: Acted): AuditEvent['actor'] {
  const { actor_id: id, actor_email: email, name } = row
  if (id === null) return null
  const isHidden = actor.sub_tenant_id !== null && !row.is_seen && row.on_behalf_of === null
  return isHidden && email !== null ? { id, email: null, name: OUTSIDER } : { id, email, name }
}

type About = { subject_type: string; subject_id: string | null }

const toSubject = (
  row: About & { subject_name: string | null },
  now: Named | undefined,
): AuditEvent['subject'] => ({
  type: row.subject_type,
  id: row.subject_id,
  name: now?.name ?? row.subject_name,
  is_there: now !== undefined,
  journey_id: now?.journey_id ?? null,
})

async function namesNow(scope: Scope, rows: readonly About[]): Promise<Map<string, Named>> {
  const named = await findNamed(scope, rows)
  return new Map(named.map((one) => [`${one.type}:${one.id}`, one]))
}
