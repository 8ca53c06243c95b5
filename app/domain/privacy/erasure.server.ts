/** Erases a person for good: all identifying data is removed wherever it is; their figures stay. */
import { sql } from 'kysely'
import { isOperator } from '../access/actor.ts'
import { record } from '../audit/audit.server.ts'
import { remakeExports } from '../exports/making.server.ts'
import { lockJourneys } from '../journeys/journeys.server.ts'
import { cancelWaiting } from '../planning/runs/hold-and-release.server.ts'
import { type Scope, withinTenant } from '../scope/scope.server.ts'
import { endAccounts } from '../users/accounts.server.ts'
import { waitForWrites } from '../users/beside-erasure.server.ts'
import { findToChange, type StoredUser } from '../users/changing.server.ts'
import { lockGroupsOf } from '../users/groups/user-groups.server.ts'
import { erasedPerson } from '../users/person.ts'
import { requireRight } from '../users/rights.server.ts'
import { requireAnotherAdmin } from '../users/roles.server.ts'
import { addressesOf } from './addresses.server.ts'
import { eraseForms } from './forms.server.ts'
import { asPattern, ERASED, eraseMessages, eraseSponsor } from './messages.server.ts'

/** Only from the whole tenant: the person may have left traces in any sub-tenant. */
export async function erasePerson(scope: Scope, id: number): Promise<void> {
  await waitForWrites(scope, id)
  await lockGroupsOf(scope, id)
  await lockJourneysOf(scope, id)
  const person = await findToChange(scope, id)
  await requireRight(scope, person, 'erase')
  await requireAnotherAdmin(scope, id, 'id')

  // Ending sessions records the end of an impersonation with the visitor's address, which is erased below.
  await scope.db.deleteFrom('sessions').where('user_id', '=', id).execute()
  await endAccounts(scope, id)
  await leaveJourneys(scope, id)
  await eraseAnswers(scope, id)
  await eraseForms(scope, id)
  const addresses = await addressesOf(scope, id)
  await eraseMessages(scope, id, addresses, { first_name: person.first_name, names: namesOf(person) })
  await eraseFileNames(scope, person)
  await forget(scope, id, [...addresses, ...namesOf(person)])
  await eraseSponsor(scope, id, person.first_name)
  await forgetElsewhere(scope, id, addresses)
  await remakeExports(scope, id)
  await record(scope, 'user.erased', { type: 'user', id, name: null })
  await anonymise(scope, id)
}

/** Before the person: changes of participants lock the journey first as well. */
async function lockJourneysOf(scope: Scope, id: number): Promise<void> {
  const rows = await scope.db.selectFrom('members').select('journey_id').where('user_id', '=', id).execute()
  await lockJourneys(
    scope,
    rows.map((row) => row.journey_id),
  )
}

const namesOf = ({ first_name, last_name }: StoredUser): string[] =>
  first_name && last_name ? [`${first_name} ${last_name}`, `${last_name}, ${first_name}`] : []

/** In `words`, addresses come first, because one may contain a name. */
async function forget({ db }: Scope, id: number, words: readonly string[]): Promise<void> {
  await sql`select forget_record(${id})`.execute(db)
  await sql`select forget_words(${words}::text[])`.execute(db)
}

/** A super admin leaves their address in the records of the companies they worked in. */
async function forgetElsewhere(scope: Scope, id: number, addresses: readonly string[]): Promise<void> {
  if (!isOperator(scope.actor)) return
  const { tenant_id } = scope.actor
  const others = await scope.db.selectFrom('tenants').select('id').where('id', '!=', tenant_id).execute()
  for (const other of others) await withinTenant(scope, other.id, (inner) => forget(inner, id, addresses))
}

/** File names contain a full name in many spellings, and an address in them ends differently than in text. */
async function eraseFileNames({ db }: Scope, { first_name, last_name }: StoredUser): Promise<void> {
  if (!first_name || !last_name) return
  const [first, last] = [asPattern(first_name), asPattern(last_name)]
  const pattern = `${first}[ _.-]*${last}|${last},?[ _.-]*${first}`
  await sql`update files set file_name = regexp_replace(file_name, ${pattern}, ${ERASED}, 'gi')
    where file_name ~* ${pattern}`.execute(db)
}

async function anonymise({ db }: Scope, id: number): Promise<void> {
  for (const table of [
    'user_general_roles',
    'user_group_users',
    'contact_changes',
    'ended_sessions',
  ] as const)
    await db.deleteFrom(table).where('user_id', '=', id).execute()
  await db.updateTable('users').set(forgotten(id)).where('id', '=', id).execute()
}

type Kept =
  | 'tenant_id'
  | 'id'
  | 'is_super_admin'
  | 'accepted_terms_on'
  | 'accepted_terms_version'
  | 'created_on'

/** Sets every other column (`searchable` is derived): a new column that is missing here does not compile. */
const forgotten = (id: number) =>
  ({
    ...erasedPerson(id),
    phone_verified_on: null,
    sms_opt_in: false,
    last_seen_on: null,
    muted_notifications: [],
    weekly_summary: false,
    activation_status: 'disabled',
    erased_on: new Date(),
    updated_on: new Date(),
    lock_version: sql<number>`lock_version + 1`,
  }) satisfies Record<Exclude<keyof StoredUser, Kept | 'searchable'>, unknown>

/** Cancels everything that has not been sent. */
async function leaveJourneys(scope: Scope, user_id: number): Promise<void> {
  const { db } = scope
  const members = await db
    .updateTable('members')
    .set({ state: 'withdrawn', left_at: sql`coalesce(left_at, scope_now())` })
    .where('user_id', '=', user_id)
    .where('state', 'in', ['invited', 'active', 'paused'])
    .returning('id')
    .execute()
  const ids = members.map(({ id }) => id)
  if (ids.length === 0) return
  await cancelWaiting(scope, ids, 'withdrawn')
  await db.updateTable('members').set({ sponsor_id: null }).where('sponsor_id', 'in', ids).execute()
}

/** Choices and numbers stay in the figures; free text is erased. */
async function eraseAnswers({ db }: Scope, user_id: number): Promise<void> {
  await sql`update responses r set value = case p.kind
      when 'commitment' then jsonb_build_object('what', ${ERASED}::text, 'by', null) else to_jsonb(${ERASED}::text) end
    from prompts p, members m where p.tenant_id = r.tenant_id and p.id = r.prompt_id
      and p.kind in ('short_text', 'long_text', 'commitment')
      and m.tenant_id = r.tenant_id and m.id = r.member_id and m.user_id = ${user_id}`.execute(db)
  // Comments on their answers, and their comments on others' answers.
  await sql`update responses r set score_comment = case when r.score_comment = '' then '' else ${ERASED}::text end
    where r.scored_by = ${user_id} or r.member_id in (select id from members where user_id = ${user_id})`.execute(
    db,
  )
  // Messages between two people concern both, so they are deleted entirely.
  await sql`delete from encouragements e using members m where m.tenant_id = e.tenant_id
    and m.id in (e.member_id, e.sponsor_id) and m.user_id = ${user_id}`.execute(db)
}
