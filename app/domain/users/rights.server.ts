import { type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { DB, Users } from '#app/db/schema.ts'
import type { Scope } from '../scope/scope.server.ts'
import { refusalOf, type Subject } from './rights.ts'
import { workingElsewhere } from './roles.server.ts'
import { USER_RIGHTS, type UserRight } from './user.ts'

type Row = Pick<Selectable<Users>, 'id' | 'is_super_admin' | 'activation_status' | 'erased_on'> & {
  /** Set if it was read together with the row. */
  has_account?: SqlBool
}

/** With our own provider, and in use: a company that changes its provider leaves the accounts of before. */
export const accountsHere = (from: Pick<ExpressionBuilder<DB, never>, 'selectFrom'>) =>
  from
    .selectFrom('user_identities as known')
    .innerJoin('pools', 'pools.issuer', 'known.issuer')
    .innerJoin('tenants', (join) =>
      join.onRef('tenants.id', '=', 'known.tenant_id').onRef('tenants.pool_id', '=', 'pools.id'),
    )
    .select('known.user_id')
    .where('pools.kind', '=', sql.lit('embedded'))

async function readSubjects(scope: Scope, rows: readonly Row[]): Promise<Subject[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const elsewhere = await workingElsewhere(scope, ids)
  const known = await readKnown(scope, rows)
  return rows.map((row) => ({
    ...row,
    works_elsewhere: elsewhere.has(row.id),
    has_account: known.has(row.id),
  }))
}

async function readKnown({ db }: Scope, rows: readonly Row[]): Promise<Set<number>> {
  if (rows.every(({ has_account }) => has_account !== undefined))
    return new Set(rows.flatMap(({ id, has_account }) => (has_account ? [id] : [])))
  const ids = rows.map(({ id }) => id)
  const accounts = await accountsHere(db).where('known.user_id', 'in', ids).execute()
  return new Set(accounts.map(({ user_id }) => user_id))
}

export async function readRights(scope: Scope, rows: readonly Row[]): Promise<Map<number, UserRight[]>> {
  const subjects = await readSubjects(scope, rows)
  return new Map(
    subjects.map((one) => [
      one.id,
      USER_RIGHTS.filter((right) => refusalOf(right, scope.actor, one) === null),
    ]),
  )
}

export async function requireRight(scope: Scope, row: Row, right: UserRight): Promise<void> {
  const [subject] = await readSubjects(scope, [row])
  const refusal = subject && refusalOf(right, scope.actor, subject)
  if (refusal) throw refusal()
}
