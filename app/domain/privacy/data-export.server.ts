/** All that is stored about one person, for that person: their own copy, in JSON. */
import { sql } from 'kysely'
import { record } from '../audit/audit.server.ts'
import { notFound } from '../errors.ts'
import { READABLE } from '../responses/response.ts'
import { atHome, type Scope } from '../scope.server.ts'
import type { StoredUser } from '../users/changing.server.ts'
import { findSelf } from '../users/current-user.server.ts'
import { requireRight } from '../users/rights.server.ts'
import { wide } from '../users/roles.server.ts'
import { addressesOf, ownLifts } from './addresses.server.ts'
import { filledIn, saidBySponsors } from './forms.server.ts'

export type DataExport = Record<string, unknown>

/**
 * Their own for everybody, wherever they took part; anybody's for administrators, as far as the journeys of their place
 * go, and without what the person was promised that no administrator reads.
 */
export async function exportPerson(scope: Scope, id: number): Promise<DataExport> {
  if (scope.actor.user_id === id)
    return atHome(scope, async (home) => {
      const self = await findSelf(home)
      return wide(home, (whole) => collect(whole, self, 'own'))
    })
  const person = await scope.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound())
  await requireRight(scope, person, 'download')
  return collect(scope, person, "another's")
}

/** What lifts say; a message with a password or a code in it is for nobody else's eyes. */
const SAID = sql<string | null>`case when key ~ '^[0-9a-f-]{36}:[0-9]+$' then body end`

type Copy = 'own' | "another's"

async function collect(scope: Scope, person: StoredUser, copy: Copy): Promise<DataExport> {
  const { db } = scope
  const { tenant_id, is_super_admin, lock_version, ...profile } = person
  const { id } = profile
  const addresses = await addressesOf(scope, id)

  const data = {
    exported_on: new Date().toISOString(),
    tenant_id,
    profile,
    roles: await db
      .selectFrom('user_general_roles')
      .select(['role', 'sub_tenant_id', 'created_on'])
      .where('user_id', '=', id)
      .execute(),
    sign_in: await db
      .selectFrom('user_identities')
      .select(['issuer', 'subject', 'created_on'])
      .where('user_id', '=', id)
      .execute(),
    sessions: await db
      .selectFrom('sessions')
      .select(['user_agent', 'created_on', 'last_seen_on', 'expires_at'])
      .where('user_id', '=', id)
      .execute(),
    contact_changes: await db
      .selectFrom('contact_changes')
      .select(['kind', 'value', 'created_on', 'expires_at'])
      .where('user_id', '=', id)
      .execute(),
    consents: await db
      .selectFrom('consent_events')
      .select(['number', 'action', 'source', 'wording_id', 'at'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
    stopped_mails: await db
      .selectFrom('mail_stops')
      .select(['journey_id', 'source', 'created_on'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
    journey_messages: await db
      .selectFrom('sent_messages')
      .select(['channel', 'journey_id', 'created_on'])
      .where('user_id', '=', id)
      .orderBy('created_on')
      .execute(),
    monday_mails: await db
      .selectFrom('monday_mails')
      .select(['kind', 'week_on', 'created_on'])
      .where('user_id', '=', id)
      .orderBy('week_on')
      .execute(),
    address_events: await db
      .selectFrom('address_events')
      .select(['address', 'kind', 'at'])
      .where(sql<boolean>`lower(address::text) = any(${addresses})`)
      .orderBy('id')
      .execute(),
    notifications: await db
      .selectFrom('notifications')
      .select(['notification_type', 'content', 'has_read', 'created_on'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
    journeys: await db
      .selectFrom('members as m')
      .innerJoin('journeys as j', 'j.id', 'm.journey_id')
      .select([
        'm.id as member_id',
        'j.name',
        'm.role',
        'm.state',
        'm.joined_at',
        'm.left_at',
        'm.exclude_data',
      ])
      .where('m.user_id', '=', id)
      .orderBy('m.id')
      .execute(),
    lifts: await db
      .selectFrom('occurrences as o')
      .innerJoin('members as m', 'm.id', 'o.member_id')
      .innerJoin('lifts as l', 'l.id', 'o.lift_id')
      .select(['l.title', 'o.state', 'o.due_at', 'o.opened_at', 'o.first_response_at', 'o.completed_at'])
      .where('m.user_id', '=', id)
      .orderBy('o.id')
      .execute(),
    answers: await db
      .selectFrom('responses as r')
      .innerJoin('members as m', 'm.id', 'r.member_id')
      .innerJoin('prompts as p', 'p.id', 'r.prompt_id')
      .select(['p.text as question', 'r.value', 'r.score', 'p.max_score', 'r.score_comment', 'r.scored_at'])
      .select(['r.channel', 'r.is_current', 'r.submitted_at'])
      .where('m.user_id', '=', id)
      .$if(copy !== 'own', (query) => query.where('r.visibility', 'in', READABLE))
      .orderBy('r.id')
      .execute(),
    commitments: await db
      .selectFrom('commitments as c')
      .innerJoin('members as m', 'm.id', 'c.member_id')
      .innerJoin('responses as r', 'r.id', 'c.response_id')
      .select(['r.value', 'c.by_on', 'c.state', 'c.settled_at', 'c.acknowledged_at'])
      .where('m.user_id', '=', id)
      .$if(copy !== 'own', (query) => query.where('r.visibility', 'in', READABLE))
      .orderBy('c.id')
      .execute(),
    encouragements: await db
      .selectFrom('encouragements as e')
      .innerJoin('members as m', 'm.id', 'e.member_id')
      .innerJoin('members as s', 's.id', 'e.sponsor_id')
      .select(['e.said', 'e.created_on', (is) => is('m.user_id', '=', id).as('received')])
      .where((is) => is.or([is('m.user_id', '=', id), is('s.user_id', '=', id)]))
      .orderBy('e.id')
      .execute(),
    assessments: await filledIn(
      scope,
      id,
      copy === 'own' ? ['self', 'sponsor', 'peers'] : ['self', 'sponsor'],
    ),
    assessed_by_sponsors: await saidBySponsors(scope, id),
    messages: await db
      .selectFrom('outbox_messages')
      .select(['channel', 'recipient', 'subject', 'created_on', SAID.as('body')])
      .where((is) =>
        is.or([is(sql`lower(recipient)`, 'in', addresses), is('key', 'in', ownLifts(scope, id))]),
      )
      .orderBy('id')
      .execute(),
    texts: await db
      .selectFrom('inbound_texts')
      .select(['number', 'body', 'reading', 'created_on'])
      .where(sql`lower(number)`, 'in', addresses)
      .orderBy('id')
      .execute(),
    sponsor_in: await db
      .selectFrom('members as m')
      .innerJoin('members as learner', 'learner.sponsor_id', 'm.id')
      .innerJoin('journeys as j', 'j.id', 'm.journey_id')
      .select(['j.name', (count) => count.fn.count<number>('learner.id').as('learners')])
      .where('m.user_id', '=', id)
      .groupBy(['j.id', 'j.name'])
      .orderBy('j.id')
      .execute(),
    uploads: await db
      .selectFrom('files')
      .select(['file_name', 'content_type', 'size', 'created_on'])
      .where('created_by', '=', id)
      .orderBy('created_on')
      .orderBy('id')
      .execute(),
    imports: await db
      .selectFrom('user_imports')
      .select(['file_name', 'dry_run', 'rows_total', 'created_on'])
      .where('created_by', '=', id)
      .orderBy('created_on')
      .orderBy('id')
      .execute(),
    exports: await db
      .selectFrom('exports')
      .select(['kind', 'format', 'query', 'created_on'])
      .where('created_by', '=', id)
      .orderBy('created_on')
      .orderBy('id')
      .execute(),
    audit: await db
      .selectFrom('audit_events')
      .select(['at', 'actor_id', 'action', 'subject_type', 'subject_id'])
      // What they changed of somebody else is told of that person only.
      .select((is) =>
        is
          .case()
          .when(is.and([is('subject_type', '=', 'user'), is('subject_id', '!=', String(id))]))
          .then(sql`'{}'::jsonb`)
          .else(is.ref('changes'))
          .end()
          .as('changes'),
      )
      .where((is) =>
        is.or([
          is('actor_id', '=', id),
          is.and([is('subject_type', '=', 'user'), is('subject_id', '=', String(id))]),
        ]),
      )
      .orderBy('id')
      .execute(),
  }
  await record(scope, 'user.data_exported', { type: 'user', id })
  return data
}
