/** Messages to a person who is being erased, and messages to others about them. */
import { sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { ownLifts, sponsoredLifts } from './addresses.server.ts'

export const ERASED = '[erased]'

const ERASED_IN_FILE =
  'Somebody in this file was erased before it was read to its end. Take them out and send it again: people who are there already are skipped.'

export async function eraseMessages(
  scope: Scope,
  person: number,
  addresses: readonly string[],
  { first_name, names }: { first_name: string; names: readonly string[] },
): Promise<void> {
  const { db } = scope
  await eraseFiles(scope, person, [...addresses, ...names], first_name)
  await sql`delete from outbox_messages where lower(recipient) = any(${addresses})
    or key in ${ownLifts(scope, person)}`.execute(db)
  await sql`delete from inbound_texts where lower(number) = any(${addresses})`.execute(db)
  await sql`delete from address_events where lower(address::text) = any(${addresses})`.execute(db)
  await db.deleteFrom('mail_stops').where('user_id', '=', person).execute()
  await db.deleteFrom('sign_in_links').where('user_id', '=', person).execute()
  await db.deleteFrom('api_keys').where('user_id', '=', person).execute()
  await db.deleteFrom('notifications').where('user_id', '=', person).execute()
  await db.deleteFrom('idempotency_keys').where('user_id', '=', person).execute()
  // Stored API answers to other people that mention the person: the key stays, to remain idempotent.
  await sql`update idempotency_keys set body = '{}' where body ~* any(${addresses.map(patternOf)})`.execute(
    db,
  )
  await sql`update dispatches d set address = null from occurrences o, members m
    where o.tenant_id = d.tenant_id and o.id = d.occurrence_id and m.tenant_id = o.tenant_id and m.id = o.member_id
      and m.user_id = ${person}`.execute(db)
  await eraseImports(scope, addresses.filter((address) => address.includes('@')).map(patternOf))
  await eraseAttempts(scope, addresses)
}

/** Message files that contain one of the words; a job deletes them after the commit. */
async function eraseFiles(
  scope: Scope,
  person: number,
  words: readonly string[],
  first_name: string,
): Promise<void> {
  const small = words.map((word) => word.toLowerCase())
  const { rows } = await sql<{ id: string }>`select id from outbox_messages
    where key in ${ownLifts(scope, person)}
      or (key in ${sponsoredLifts(scope, person, first_name)} and body || coalesce(subject, '') ~ ${alone(first_name)})
      or exists (select from unnest(${small}::text[]) word
      where strpos(lower(recipient || ' ' || coalesce(subject, '') || ' ' || body), word) > 0)`.execute(
    scope.db,
  )
  if (rows.length === 0) return
  const payload = { tenant_id: scope.actor.tenant_id, message_ids: rows.map(({ id }) => Number(id)) }
  await addJob(scope.db, 'forget-messages', payload)
}

/** Texts of the product that name a sponsor by first name; a first name in people's own texts stays. */
export async function eraseSponsor(scope: Scope, person: number, first_name: string): Promise<void> {
  if (first_name === '') return
  const pattern = alone(first_name)
  await sql`update outbox_messages set body = regexp_replace(body, ${pattern}, ${ERASED}, 'g'),
      subject = regexp_replace(subject, ${pattern}, ${ERASED}, 'g')
    where key in ${sponsoredLifts(scope, person, first_name)} and body || coalesce(subject, '') ~ ${pattern}`.execute(
    scope.db,
  )
}

/**
 * Deletes the person's line of an import, and its errors; a pending import is stopped, as it would create them again.
 */
async function eraseImports({ db }: Scope, patterns: readonly string[]): Promise<void> {
  await sql`update user_imports set source = null, finished_on = coalesce(finished_on, now()),
      status = case when finished_on is null then 'failed' else status end,
      problem = case when finished_on is null then ${ERASED_IN_FILE} else problem end,
      result = (select coalesce(string_agg(line, e'\n'), '') from regexp_split_to_table(result, '\n') line
        where line !~* all(${patterns}))
    where result ~* any(${patterns}) or coalesce(source, '') ~* any(${patterns})`.execute(db)
}

/** An unfinished sign-in belongs to no company yet, but may contain the typed address. */
async function eraseAttempts({ db }: Scope, addresses: readonly string[]): Promise<void> {
  await sql`delete from sign_in_attempts where lower(login_hint) = any(${addresses})
    or exists (select from unnest(${addresses}::text[]) address
      where strpos(lower(screen::text), to_json(address)::text) > 0)`.execute(db)
}

/** Matches a whole word; an empty word matches nothing. */
const alone = (word: string): string =>
  word === '' ? '(?!)' : `(?<![[:alnum:]])${asPattern(word)}(?![[:alnum:]])`

export const asPattern = (word: string): string => word.replace(/[\][\\.^$*+?(){}|-]/g, '\\$&')

/** Matches no part of a longer address or number, like `forget_words`. */
const patternOf = (word: string): string =>
  `(?<![[:alnum:]._%+-])${asPattern(word)}(?![[:alnum:]_%+-]|\\.[[:alnum:]])`
