/** The addresses and numbers that a person was written to. */
import { domainToUnicode } from 'node:url'
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'

/** In lower case, including former and unconfirmed ones, but not those that belong to somebody else by now. */
export async function addressesOf({ db, actor }: Scope, person: number): Promise<string[]> {
  const key = (kind: string) => `${actor.tenant_id}:${kind}:${person}:%`
  const { rows } = await sql<{ address: string }>`
    with known (address) as (
      select email::text from users where id = ${person}
      union select mobile_phone from users where id = ${person}
      union select value from contact_changes where user_id = ${person}
      union select number from consent_events where user_id = ${person}
      union select actor_email::text from audit_events where actor_id = ${person}
      union select changes ->> 'email' from audit_events
        where subject_type = 'user' and subject_id = ${String(person)} and jsonb_typeof(changes -> 'email') = 'string'
      union select d.address from dispatches d join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
        join members m on m.tenant_id = o.tenant_id and m.id = o.member_id where m.user_id = ${person}
      union select recipient from outbox_messages where key like ${key('invite-user')}
        or key like ${key('address-changed')} or key like ${key('security')}
      union select o.recipient from outbox_messages o join contact_changes c on c.user_id = ${person}
        and o.key like c.tenant_id || ':contact-code:' || c.id || ':%')
    select distinct lower(address) as address from known
    where address <> '' and not exists (select from users other where other.id <> ${person}
      and (lower(other.email::text) = lower(known.address) or other.mobile_phone = known.address))`.execute(
    db,
  )
  // Files and texts may contain an internationalized domain in Unicode: `exämple.de` for `xn--exmple-cua.de`.
  return [...new Set(rows.flatMap(({ address }) => [address, asPeopleWrite(address)]))]
}

function asPeopleWrite(address: string): string {
  const at = address.lastIndexOf('@') + 1
  return at > 0 ? address.slice(0, at) + domainToUnicode(address.slice(at)) : address
}

/** The messages of the person's own lifts, whatever number or address they went to. */
export const ownLifts = ({ actor }: Scope, person: number) =>
  sql<string>`(select ${`${actor.tenant_id}:`}::text || d.id from dispatches d
    join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
    join members m on m.tenant_id = o.tenant_id and m.id = o.member_id where m.user_id = ${person})`

/**
 * Messages to learners whose sponsor the person was, where `{{sponsor}}` names them; not to learners with the same
 * first name.
 */
export const sponsoredLifts = ({ actor }: Scope, person: number, first_name: string) =>
  sql<string>`(select ${`${actor.tenant_id}:`}::text || d.id from members s
    join members m on m.tenant_id = s.tenant_id and m.journey_id = s.journey_id
    join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
    join occurrences o on o.tenant_id = m.tenant_id and o.member_id = m.id
    join dispatches d on d.tenant_id = o.tenant_id and d.occurrence_id = o.id
    where s.user_id = ${person} and s.role = 'sponsor' and m.user_id <> ${person}
      and lower(u.first_name) <> lower(${first_name}))`

/**
 * Whether a message may still be sent: always to the address of an existing person; to an unknown address only if
 * nobody was erased since.
 */
export async function mayStillWrite(
  { db }: Scope,
  { address, since }: { address: string; since: Date },
): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select exists (select from users where lower(email::text) = lower(${address}) or mobile_phone = ${address})
      or not exists (select from users where erased_on >= ${since}) as may`.execute(db)
  return rows[0]?.may === true
}
