/** Messages from and to a person, and their consents. */
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'
import { addressesOf, ownLifts } from './addresses.server.ts'

/** Only the texts of lifts: messages with passwords or codes must not be shown to anybody. */
const SAID = sql<string | null>`case when key ~ '^[0-9a-f-]{36}:[0-9]+$' then body end`

export async function readAgreements({ db }: Scope, id: number) {
  return {
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
  }
}

export async function readMessages(scope: Scope, id: number) {
  const { db } = scope
  const addresses = await addressesOf(scope, id)
  return {
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
  }
}
