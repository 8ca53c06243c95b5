/** A person's own exports: requesting, following and downloading. Nobody else's are visible. */
import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import { nameOrEmailOf } from '#app/domain/text/full-name.server.ts'
import { may } from '../access/permissions.ts'
import { requireSubjects } from '../analytics/filters.server.ts'
import { asOf } from '../analytics/population.server.ts'
import { record } from '../audit/audit.server.ts'
import { forbidden, notFound, Refusal } from '../errors.ts'
import { offsetOf, paginate } from '../page.ts'
import { takeTurnsBeside } from '../scope/advisory-lock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { Export, type ExportInput, type ExportQuery, HOURS_KEPT, type StatementsInput } from './export.ts'

/** The lock that serializes erasures of people and new exports. */
export const TURN = 'exports'

export async function startExport(scope: Scope, { table, format, ...query }: ExportInput): Promise<Export> {
  await requireSubjects(scope, query)
  const as_of = (await asOf(scope, query)).toISOString()
  const wanted = { kind: table, format, asked: { ...query, table, format }, query: { ...query, as_of } }
  const { journey } = query
  return begin(
    scope,
    wanted,
    journey ? { type: 'journey', id: journey } : { type: 'tenant', id: scope.actor.tenant_id },
  )
}

/** `recordStore`: the learning record store, if there is one. */
export async function startStatements(
  scope: Scope,
  journey: number,
  { to, with_addresses }: StatementsInput,
  recordStore: string | null,
): Promise<Export> {
  if (to === 'record_store' && recordStore === null)
    throw new Refusal(409, 'No learning record store is set up for this installation.')
  const format = to === 'file' ? 'json' : 'sent'
  const asked = { journey, with_addresses, format }
  const query = { journey, with_addresses, as_of: new Date().toISOString() }
  return begin(scope, { kind: 'statements', format, asked, query }, { type: 'journey', id: journey })
}

/** Two exports with equal `asked` are the same. */
type Wanted = { kind: string; format: string; asked: object; query: { as_of: string } }

async function begin(
  scope: Scope,
  { kind, format, asked, query }: Wanted,
  subject: Parameters<typeof record>[2],
): Promise<Export> {
  const { actor, db } = scope
  if (actor.user_id === null) throw new Error('Only people and their keys ask for exports.')
  await takeTurnsBeside(scope, TURN)
  const { tenant_id, sub_tenant_id } = actor
  const asked_as = rightsOf(actor)
  const request_hash = createHash('sha256')
    .update(JSON.stringify({ ...asked, kind, sub_tenant_id, asked_as }))
    .digest()
  const made = await db
    .insertInto('exports')
    .values({
      ...{ tenant_id, sub_tenant_id, kind, format, request_hash },
      created_by: actor.user_id,
      asked_as: JSON.stringify(asked_as),
      query: JSON.stringify(query),
    })
    .onConflict((other) =>
      other
        .columns(['tenant_id', 'created_by', 'request_hash'])
        // Literal values, as in the partial index: a cached plan does not know parameters.
        .where(sql<boolean>`status in ('waiting', 'running')`)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (!made) return findSame(scope, request_hash)
  await record(scope, 'figures.exported', subject, { kind, format, ...query })
  await addJob(db, 'make-export', { export_id: made.id }, { key: `make-export:${made.id}` })
  const run_at = new Date(Date.now() + HOURS_KEPT * 3_600_000)
  await addJob(db, 'forget-export', { export_id: made.id }, { run_at })
  return getExport(scope, made.id)
}

/** The rights with which the export is made. */
const rightsOf = ({ home_tenant_id, roles, is_super_admin, is_impersonating }: Scope['actor']) => ({
  ...{ home_tenant_id, roles, is_super_admin, is_impersonating },
})

async function findSame(scope: Scope, request_hash: Buffer): Promise<Export> {
  const { id } = await own(scope)
    .select('e.id')
    .where('e.request_hash', '=', request_hash)
    .where('e.status', 'in', ['waiting', 'running'])
    .executeTakeFirstOrThrow()
  return getExport(scope, id)
}

/**
 * Expired exports are invisible even before their rows are deleted. The caller needs the rights with which the export
 * was made: an API key may have fewer than its maker, and a person fewer than before.
 */
function own({ actor, db }: Scope) {
  if (!may(actor, 'analytics:view')) throw forbidden()
  const { roles, ...standing } = rightsOf(actor)
  return db
    .selectFrom('exports as e')
    .where('e.created_by', '=', actor.user_id ?? 0)
    .where(sql<boolean>`e.expires_on > now()`)
    .where(sql<boolean>`e.asked_as -> 'roles' <@ ${JSON.stringify(roles)}::jsonb`)
    .where(sql<boolean>`e.asked_as - 'roles' = ${JSON.stringify(standing)}::jsonb`)
}

export async function getExport(scope: Scope, id: string): Promise<Export> {
  const row = await told(scope).where('e.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return toExport(row)
}

export async function listExports(scope: Scope, query: ExportQuery) {
  const { total } = await own(scope)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await told(scope)
    .orderBy('e.created_on', 'desc')
    .orderBy('e.id')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
  return { data: rows.map(toExport), pagination: paginate(Number(total), query) }
}

const idIn = (name: string) => sql`(e.query ->> ${name})::bigint`

const told = (scope: Scope) =>
  own(scope)
    .select(['e.id', 'e.kind', 'e.format', 'e.query', 'e.status', 'e.problem', 'e.rows_total', 'e.rows_done'])
    .select(['e.size', 'e.created_on', 'e.finished_on', 'e.expires_on'])
    .select([
      named(sql`select name from journeys where id = ${idIn('journey')}`).as('journey'),
      named(sql`select title from lifts where id = coalesce(${idIn('lift')}, ${idIn('lift_id')})`).as('lift'),
      named(sql`select ${nameOrEmailOf('users')} from users where id = ${idIn('user')}`).as('learner'),
    ])

const named = (query: RawBuilder<unknown>) => sql<string | null>`(${query})`

type Told = Awaited<ReturnType<ReturnType<typeof told>['executeTakeFirstOrThrow']>>

function toExport({ query, created_on, finished_on, expires_on, size, ...row }: Told): Export {
  const { figure, outcome, with_addresses, from, to, as_of } = query as Record<string, unknown>
  const isOfFigure = row.kind === 'explain'
  return Export.parse({
    ...row,
    ...{ from: from ?? null, to: to ?? null, as_of, with_addresses: with_addresses ?? false },
    figure: isOfFigure ? figure : null,
    outcome: isOfFigure ? outcome : null,
    size: Number(size),
    created_on: created_on.toISOString(),
    finished_on: finished_on?.toISOString() ?? null,
    kept_until: expires_on.toISOString(),
  })
}
