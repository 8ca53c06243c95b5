/** Reads the imports of a place: one with the outcomes of its rows, or a page of all. */
import { sql } from 'kysely'
import { may } from '#app/domain/access/permissions.ts'
import { forbidden, notFound } from '#app/domain/errors.ts'
import { offsetOf, paginate } from '#app/domain/page.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { knownNameOf } from '#app/domain/text/full-name.server.ts'
import { OUTSIDER } from '../../text/learner-name.server.ts'
import { HOURS_KEPT, type ImportQuery, ImportSummary, UserImport } from './import.ts'
import { readOutcomes } from './import-outcomes.server.ts'

/** Enough characters for the outcomes that are shown. */
const MAX_CHARACTERS = 30_000

const SHOWN = [
  'id',
  'file_name',
  'dry_run',
  'send_welcome',
  'status',
  'problem',
  'rows_total',
  'rows_processed',
  'created',
  'skipped',
  'failed',
  'imported_as',
  'created_on',
  'finished_on',
] as const

const UNTIL = sql<Date>`finished_on + ${HOURS_KEPT} * interval '1 hour'`

/** A dry run whose file can still be imported. It expires on time, even if the file is deleted later. */
export const IS_KEPT = sql<boolean>`coalesce(
  dry_run and status = 'finished' and source is not null and ${UNTIL} > now(), false)`

/** A super admin from outside the company is shown with their address; a colleague from another sub-tenant is not named. */
const CREATOR = sql<string | null>`case
  when created_by is null or created_by_email is null
    or exists (select from users u where u.id = user_imports.created_by)
  then coalesce((select ${knownNameOf('u')} from users u where u.id = user_imports.created_by), created_by_email)
  else ${sql.lit(OUTSIDER)} end`

const summaries = ({ db }: Scope) =>
  db
    .selectFrom('user_imports')
    .select(SHOWN)
    .select([
      sql<boolean>`created > 0 and ${IS_KEPT}`.as('can_be_imported'),
      sql<Date | null>`case when created > 0 and ${IS_KEPT} then ${UNTIL} end`.as('kept_until'),
      CREATOR.as('created_by'),
    ])

export async function listImports(scope: Scope, query: ImportQuery) {
  if (!may(scope.actor, 'users:create')) throw forbidden()
  const { total } = await scope.db
    .selectFrom('user_imports')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await summaries(scope)
    .orderBy('created_on', 'desc')
    .orderBy('id')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
  return {
    data: rows.map((row) => ImportSummary.parse(withTimes(row))),
    pagination: paginate(Number(total), query),
  }
}

export async function readImport(scope: Scope, id: string): Promise<UserImport> {
  const stored = await summaries(scope)
    .select(['errors', sql<string>`left(result, ${MAX_CHARACTERS})`.as('beginning')])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!stored) throw notFound()
  return UserImport.parse({ ...withTimes(stored), outcomes: readOutcomes(stored.beginning) })
}

type Times = { created_on: Date; finished_on: Date | null; kept_until: Date | null }

const withTimes = <Row extends Times>(row: Row) => ({
  ...row,
  created_on: row.created_on.toISOString(),
  finished_on: row.finished_on?.toISOString() ?? null,
  kept_until: row.kept_until?.toISOString() ?? null,
})
