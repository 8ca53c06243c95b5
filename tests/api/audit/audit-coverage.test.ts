/** Every call that changes something writes a line of the audit log: who, in whose place, what, to what, and where. */
import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from '#app/api/app.server.ts'
import type { DB } from '#app/db/schema.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import { expected, type Who } from '#tests/api/isolation/matrix-people.ts'
import { POLICY, type Row } from '#tests/api/isolation/matrix-policy.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/api/isolation/matrix-world.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { AUDITED, type Line, NOT_AUDITED, PREPARED } from './audit-policy.ts'

let database: TestDatabase
let world: MatrixWorld
let written: Event[] = []

type Event = {
  tenant_id: string
  actor_id: number | null
  actor_email: string | null
  on_behalf_of: string | null
  sub_tenant_id: string | null
  action: string
  subject_type: string
  subject_id: string | null
}

/** What the running transaction has written in every tenant, before it is rolled back. */
async function readWritten(db: Transaction<DB>): Promise<void> {
  await sql`select set_config('app.operator', 'on', true), set_config('app.sub_tenant_id', '', true)`.execute(
    db,
  )
  const tenants = await sql<{ id: string }>`select id from tenants`.execute(db)
  written = []
  for (const { id } of tenants.rows) {
    await sql`select set_config('app.tenant_id', ${id}, true)`.execute(db)
    // `at` is the start of the transaction.
    const { rows } =
      await sql<Event>`select tenant_id, actor_id::int, actor_email, on_behalf_of, sub_tenant_id, action,
      subject_type, subject_id from audit_events where at = now()`.execute(db)
    written.push(...rows)
  }
}

/** Statements that prepare a call which would otherwise be refused; they are rolled back with it. */
let prepare: readonly string[] = []

async function makeReady(db: Transaction<DB>): Promise<void> {
  await sql`select set_config('app.tenant_id', ${world.acme}, true), set_config('app.sub_tenant_id', '', true)`.execute(
    db,
  )
  for (const statement of prepare) await sql.raw(statement).execute(db)
}

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createMatrixWorld(database.app, { before: makeReady, after: readWritten })
}, 120_000)
afterAll(() => database?.drop())

async function changingCalls(): Promise<string[]> {
  const document = await createApi({ database: () => ({}) as Database }).request('/api/v1/openapi.json')
  const { paths } = (await document.json()) as { paths: Record<string, object> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== 'get')
      .map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
  )
}

/** The sub-tenant of the line: that of the subject in North, or of the person who works inside it. */
function subTenantOf(call: string, line: Line, who: Who): string | null {
  const { kind } = { ...(POLICY[call] as Row), ...line.ask }
  const isInside = ['sub_admin', 'super_part', 'learner'].includes(who)
  if (line.place === 'person') return who === 'sub_admin' ? world.north : null
  if (isInside) return world.north
  return ['none', 'self', 'tenant'].includes(kind) || line.place === 'whole' ? null : world.north
}

async function findingOf(call: string, line: Line, who: Who): Promise<string | null> {
  written = []
  const row = { ...(POLICY[call] as Row), ...line.ask }
  const { user_id: me, email, tenant_id } = world.principals[who as 'admin']
  const ids: Record<string, string | number> = { ...world.objects.own, me }
  prepare = (line.after ?? []).map((text) =>
    text.replace(/\{(\w+)\}/g, (all, name) => String(ids[name] ?? all)),
  )
  const { status, text } = await world.ask(call, row, who, 'own')
  const name = `${call} by ${who}`
  if (status >= 300) return `${name}: ${status} ${text.slice(0, 160)}`
  const event = written.find(({ action }) => action === line.action)
  if (!event)
    return `${name} wrote ${JSON.stringify(written.map(({ action }) => action))}, not ${line.action}`
  const isHome = who === 'super_home' && row.kind === 'none' && call !== 'POST /tenants'
  const isElsewhere = who.startsWith('super_') && line.place !== 'person' && !isHome
  const created = (JSON.parse(text) as { id?: string }).id
  const tenant = call === 'POST /tenants' ? created : isElsewhere ? world.acme : tenant_id
  const wanted = {
    tenant_id: tenant,
    actor_id: me,
    actor_email: email,
    on_behalf_of: isElsewhere ? tenant : null,
    sub_tenant_id: line.place === 'itself' ? event.subject_id : subTenantOf(call, line, who),
    subject_type: line.subject,
  }
  const wrong = Object.entries(wanted).filter(([field, value]) => event[field as keyof Event] !== value)
  if (wrong.length > 0)
    return `${name}: ${JSON.stringify(event)} but ${JSON.stringify(Object.fromEntries(wrong))}`
  return line.subject !== 'user' && event.subject_id === null ? `${name}: on nothing` : null
}

describe('Every call that changes something', () => {
  it('is listed exactly once: as audited, as tested in another file, or as not audited for a reason', async () => {
    const named = [...Object.keys(AUDITED), ...Object.keys(PREPARED), ...Object.keys(NOT_AUDITED)]
    expect(named.sort()).toEqual((await changingCalls()).sort())
  })

  const cases = Object.entries(AUDITED).map(([call, line]) => ({ call, line }))

  it.each(cases)(
    '$call writes its line to the audit log',
    async ({ call, line }) => {
      const row = POLICY[call] as Row
      const askers = (['admin', 'sub_admin', 'super_inside', 'super_part', 'super_home'] as const).filter(
        (who) => line.ask !== undefined || expected(call, row, who, 'own') < 300,
      )
      const findings: string[] = []
      for (const who of line.by ?? askers) {
        const found = await findingOf(call, line, who)
        if (found) findings.push(found)
      }
      expect([findings, (line.by ?? askers).length > 0]).toEqual([[], true])
    },
    60_000,
  )
})
