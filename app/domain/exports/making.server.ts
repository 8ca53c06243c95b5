/** Making an export: begin, store part by part, end; restarted when somebody in it may have been erased. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { addJob } from '#app/db/queue.server.ts'
import { type Actor, ROLES } from '../access/actor.ts'
import { notify } from '../notifications/notifications.server.ts'
import { takeTurns } from '../scope/advisory-lock.server.ts'
import { type Scope, systemActor, withinTenant } from '../scope/scope.server.ts'
import { Export } from './export.ts'
import { sentInWords, titleOfExport } from './export-words.ts'
import { TURN } from './exports.server.ts'
import type { StoredQuery } from './tables/open-table.server.ts'

/** `attempt`: the latest run of the job; parts of an earlier run are not accepted. */
export type Begun = Pick<Export, 'id' | 'kind' | 'format'> & {
  attempt: string
  attempts: number
  actor: Actor
  query: StoredQuery
}

const Rights = z.object({
  home_tenant_id: z.uuid(),
  roles: z.array(z.enum(ROLES)),
  is_super_admin: z.boolean(),
  is_impersonating: z.boolean(),
})

/** Null if the export is gone or has ended. */
export async function beginExport({ db }: Scope, id: string): Promise<Begun | null> {
  const attempt = randomUUID()
  const row = await db
    .updateTable('exports')
    .set({ status: 'running', attempt, attempts: sql`attempts + 1`, rows_done: 0, size: 0 })
    .where('id', '=', id)
    .where('status', 'in', ['waiting', 'running'])
    .where(sql<boolean>`expires_on > now()`)
    .returningAll()
    .executeTakeFirst()
  if (!row) return null
  await db.deleteFrom('export_parts').where('export_id', '=', id).execute()
  const { tenant_id, sub_tenant_id, created_by: user_id, attempts } = row
  return {
    ...Export.pick({ id: true, kind: true, format: true }).parse(row),
    ...{ attempt, attempts },
    query: row.query as StoredQuery,
    actor: { ...systemActor(tenant_id), ...Rights.parse(row.asked_as), sub_tenant_id, user_id },
  }
}

type Progress = { rows_total?: number; rows_done: number }
type Part = { nth: number; bytes: Uint8Array }

/** False if a later attempt has begun. */
export async function keepProgress(
  { db, actor }: Scope,
  { id, attempt }: Begun,
  progress: Progress,
  part?: Part,
): Promise<boolean> {
  const size = part?.bytes.length ?? 0
  const done = await db
    .updateTable('exports')
    .set({ ...progress, size: sql`size + ${size}` })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  if (done && part)
    await db
      .insertInto('export_parts')
      .values({ tenant_id: actor.tenant_id, export_id: id, nth: part.nth, bytes: Buffer.from(part.bytes) })
      .execute()
  return done !== undefined
}

/** `problem`: why there is no file; `note`: what to know about the file. Its maker is notified. */
type End = { problem?: string | null; note?: string | null }
type Told = Required<End> & { rows_done: number }

export async function endExport(
  scope: Scope,
  begun: Begun,
  { problem = null, note = null }: End,
): Promise<void> {
  const { db } = scope
  const { id, attempt, actor } = begun
  const done = await db
    .updateTable('exports')
    .set({
      ...{
        status: problem === null ? 'finished' : 'failed',
        problem: problem ?? note,
        finished_on: new Date(),
      },
      ...(problem === null ? {} : { size: 0 }),
    })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'running')
    .returning('rows_done')
    .executeTakeFirst()
  if (!done || actor.user_id === null) return
  if (problem !== null) await db.deleteFrom('export_parts').where('export_id', '=', id).execute()
  await tell(scope, begun, { problem, note, rows_done: done.rows_done })
}

/** Notifies makers in their home tenant; a visiting super admin must not read company data there. */
async function tell(
  scope: Scope,
  { actor, kind, format, query }: Begun,
  { problem, note, rows_done }: Told,
): Promise<void> {
  const { figure, outcome } = query as Partial<Pick<Export, 'figure' | 'outcome'>>
  const words = titleOfExport({ kind, figure: figure ?? null, outcome: outcome ?? null })
  const [done, undone] = format === 'sent' ? ['sent', 'not sent'] : ['ready', 'failed']
  const title = `${words}: ${problem === null ? done : undone}`
  const made = format === 'sent' ? sentInWords(rows_done, note) : 'It is kept for a day.'
  const content = { title, message: problem ?? made, path: '/analytics/exports' }
  const notification_type = problem === null ? ('success' as const) : ('warning' as const)
  const people = actor.user_id === null ? [] : [actor.user_id]
  if (!actor.is_impersonating) return notify(scope, people, { notification_type, content })
  await withinTenant(scope, actor.home_tenant_id, (home) =>
    notify(home, people, {
      notification_type: 'info',
      content: { title, message: 'Go back to that company to see it.' },
    }),
  )
}

/** Waits for an unavailable service, and says so. */
export async function putOff(
  { db }: Scope,
  { id, attempt }: Begun,
  { problem, run_at }: { problem: string; run_at: Date },
): Promise<void> {
  const done = await db
    .updateTable('exports')
    .set({ status: 'waiting', problem })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  if (done) await addJob(db, 'make-export', { export_id: id }, { key: `make-export:${id}`, run_at })
}

/** No check of `expires_on`: the job runs by its process's clock, and the database's may be behind. */
export const forgetExport = ({ db }: Scope, id: string) =>
  db
    .deleteFrom('exports')
    .where('id', '=', id)
    .where(sql<boolean>`expires_on <= now() + interval '5 minutes'`)
    .execute()

/** Within an erasure: deletes the person's exports, restarts those that may contain them, and makes new ones wait. */
export async function remakeExports(scope: Scope, erased: number): Promise<void> {
  const { db } = scope
  await takeTurns(scope, TURN)
  await db.deleteFrom('exports').where('created_by', '=', erased).execute()
  const others = await db
    .updateTable('exports')
    .set({
      ...{ status: 'waiting', attempt: null, rows_done: 0, size: 0, finished_on: null },
      // A unique hash each: of two equal exports, made one after the other, both are made again.
      request_hash: sql<Buffer>`decode(replace(id::text, '-', ''), 'hex')`,
    })
    .where('status', '<>', 'failed')
    .where('format', '<>', 'sent')
    .where(sql<boolean>`expires_on > now()`)
    .returning('id')
    .execute()
  for (const { id } of others) {
    await db.deleteFrom('export_parts').where('export_id', '=', id).execute()
    await addJob(db, 'make-export', { export_id: id }, { key: `make-export:${id}` })
  }
}
