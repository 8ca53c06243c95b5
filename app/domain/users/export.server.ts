/** The people of a tenant as a file, with the columns that an import reads. */
import { may } from '#app/domain/access/permissions.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { forbidden, Refusal } from '#app/domain/errors.ts'
import { namesOf } from '#app/domain/fields.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { TOO_COMMON } from '#app/domain/search.server.ts'
import { CSV_START, csvLine } from '#app/domain/text/csv.ts'
import { inParts } from '#app/domain/text/in-parts.ts'
import type { UserQuery } from './matching-users.server.ts'
import { PERSON } from './person.ts'
import { writeRoles } from './role-cell.ts'
import { statusWord } from './status-word.ts'
import type { User } from './user.ts'
import { listUsers, matchingUserIds } from './users.server.ts'

const FIELDS = namesOf(PERSON)
const COLUMNS = [...FIELDS, 'roles', 'activation_status', 'created_on']
const MAX_ROWS = 100_000
const TOO_MANY = 'That is more than 100,000 people. Please narrow it down with the filters.'
const AT_ONCE = 1_000

/** One line per person, without erased people; all roles with their places are in one cell. */
export async function exportUsers(
  scope: Scope,
  query: Omit<UserQuery, 'page' | 'per_page'>,
): Promise<ReadableStream<Uint8Array>> {
  if (!may(scope.actor, 'users:edit')) throw forbidden()
  const names = await subTenantNames(scope)
  // Encoded in batches: a hundred thousand people as strings would take several times the memory.
  const parts: Uint8Array[] = [Buffer.from(CSV_START + csvLine(COLUMNS))]
  let rows = 0
  const { ids, is_all } = await matchingUserIds(scope, query, MAX_ROWS + 1)
  if (ids.length > MAX_ROWS) throw new Refusal(409, TOO_MANY)
  if (!is_all) throw new Refusal(409, TOO_COMMON)
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const user_ids = ids.slice(at, at + AT_ONCE)
    const { data } = await listUsers(scope, { ...query, q: '', user_ids, page: 1, per_page: AT_ONCE })
    const people = data.filter(({ is_erased }) => !is_erased)
    parts.push(Buffer.from(people.map((user) => csvLine(toRow(user, names))).join('')))
    rows += people.length
  }
  await record(scope, 'users.exported', { type: 'user', id: null }, { rows })
  return inParts(parts)
}

function toRow(user: User, names: Map<string, string>): (string | null)[] {
  const roles = user.user_general_roles.map(({ role, sub_tenant_id }) => ({
    role,
    // The id stands in for a sub-tenant that is not visible, so that it is not taken for the tenant.
    subTenant: sub_tenant_id === null ? null : (names.get(sub_tenant_id) ?? sub_tenant_id),
  }))
  const status = statusWord(user.activation_status)
  return [...FIELDS.map((name) => user[name]), writeRoles(roles), status, user.created_on]
}

async function subTenantNames({ db, actor }: Scope): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('sub_tenants')
    .select(['id', 'name'])
    .where('tenant_id', '=', actor.tenant_id)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
