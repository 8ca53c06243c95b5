/** Links in messages that sign in their recipient: created when the message leaves, checked again when used. */
import { createHash, randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'

/** Long enough to read a morning's text in the evening. */
export const SIGN_IN_LINK_HOURS = 24
const SAME_PRESS_SECONDS = 10
/** Afterwards an old link can no longer be traced to its person. */
const FORGOTTEN_AFTER_DAYS = 30

const TOKEN = /^[A-Za-z0-9_-]{22}$/
/** Null if it cannot be a token. */
export const hashOfToken = (token: string): Buffer | null =>
  TOKEN.test(token) ? createHash('sha256').update(token).digest() : null

type Carried = { dispatch_id: number; user_id: number }

/** Null if the person has to sign in the usual way. A message that is sent again gets a new link. */
export async function makeSignInLink(
  scope: Scope,
  { dispatch_id, user_id }: Carried,
): Promise<string | null> {
  const { db, actor } = scope
  if (!(await isTrue(scope, maySignInByLink(user_id)))) return null
  const token = randomBytes(16).toString('base64url')
  const fresh = {
    token_hash: createHash('sha256').update(token).digest(),
    created_on: sql<Date>`now()`,
    expires_on: sql<Date>`now() + make_interval(hours => ${SIGN_IN_LINK_HOURS})`,
  }
  await sql`delete from sign_in_links where user_id = ${user_id}
    and expires_on < now() - make_interval(days => ${FORGOTTEN_AFTER_DAYS})`.execute(db)
  await db
    .insertInto('sign_in_links')
    .values({ tenant_id: actor.tenant_id, dispatch_id, user_id, ...fresh })
    .onConflict((clash) =>
      clash.columns(['tenant_id', 'dispatch_id']).doUpdateSet({ ...fresh, used_on: null }),
    )
    .execute()
  return token
}

export const isSignInLinkGood = (scope: Scope, link: Carried): Promise<boolean> => isTrue(scope, isGood(link))

/**
 * Single use, except that a second request within seconds counts as the same: after a double tap the browser shows
 * its answer.
 */
export async function takeSignInLink({ db }: Scope, link: Carried): Promise<boolean> {
  const { numAffectedRows } = await sql`update sign_in_links set used_on = coalesce(used_on, now())
    where dispatch_id = ${link.dispatch_id} and ${isGood(link)}`.execute(db)
  return numAffectedRows === 1n
}

/** Valid if the address of the message is still the person's, and nothing has ended their sessions since. */
const isGood = ({ dispatch_id, user_id }: Carried) => sql<boolean>`exists (
  select from sign_in_links l
    join dispatches d on d.tenant_id = l.tenant_id and d.id = l.dispatch_id
    join users u on u.tenant_id = l.tenant_id and u.id = l.user_id
  where l.dispatch_id = ${dispatch_id} and l.user_id = ${user_id} and l.expires_on > now()
    and (l.used_on is null or l.used_on > now() - make_interval(secs => ${SAME_PRESS_SECONDS}))
    and d.address = case d.channel when 'sms' then u.mobile_phone else u.email::text end
    and not exists (select from user_identities i
      where i.tenant_id = u.tenant_id and i.user_id = u.id and i.valid_after > l.created_on))
  and ${maySignInByLink(user_id)}`

/** Only if the company allows it, and for people who are only learners; never around another identity provider. */
const maySignInByLink = (user_id: number): RawBuilder<boolean> => sql<boolean>`exists (
  select from users u join tenants t on t.id = u.tenant_id join pools p on p.id = t.pool_id
  where u.id = ${user_id} and u.activation_status <> 'disabled' and not u.is_super_admin
    and t.status = 'active' and t.deleted_on is null and t.settings -> 'sign_in_links' = 'true' and p.kind = 'embedded'
    and not exists (select from user_general_roles r
      where r.tenant_id = u.tenant_id and r.user_id = u.id and r.role <> 'user')
    and not exists (select from members m
      where m.tenant_id = u.tenant_id and m.user_id = u.id and m.role <> 'learner' and m.state <> 'withdrawn')
    and not exists (select from journeys j where j.tenant_id = u.tenant_id and j.author_id = u.id))`

async function isTrue({ db }: Scope, condition: RawBuilder<boolean>): Promise<boolean> {
  const { rows } = await sql<{ yes: boolean }>`select ${condition} as yes`.execute(db)
  return rows[0]?.yes === true
}
