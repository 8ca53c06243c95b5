/** A company with a person in every zone, on a real database. */
import { sql } from 'kysely'
import { continuePlan } from '#app/domain/planning/runs/plan-runs.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { createWorld } from '#tests/api/tenants/tenants-world.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'
import { startTestPostgres } from '#tests/support/postgres.ts'

export const ZONES = Intl.supportedValuesOf('timeZone')
// biome-ignore lint/suspicious/noExplicitAny: what the API answered
export type Must = (method: string, path: string, body?: unknown) => Promise<any>

export async function openEverywhere() {
  const { postgres, stop } = await startTestPostgres(process.env.DATABASE_URL)
  const database = await createTestDatabase(postgres)
  const world = await createWorld(database.app)
  const inAcme = inAcmeOf(() => ({ ...world, database }))
  const must: Must = async (method, path, body) => {
    const answer = await world.call('adam', method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.json
  }
  /** Runs the planning jobs that a launch for many people queues. */
  const plan = async () => {
    const { rows } = await inAcme(({ db }) => sql<{ id: number }>`select id from journey_plans`.execute(db))
    for (const { id } of rows)
      while (await inScope(database.worker, systemActor(world.acme), (scope) => continuePlan(scope, id)));
  }
  const people = await inAcme(async ({ db }) => {
    const { rows } = await sql<{ id: number; timezone: string }>`
      insert into users (tenant_id, email, first_name, last_name, activation_status, timezone)
      select ${world.acme}, 'zone' || n || '@proof.example', 'Somebody', name, 'active', name
      from unnest(${ZONES}::text[]) with ordinality as zones (name, n) returning id, timezone`.execute(db)
    return rows
  })
  const close = async () => {
    await database.drop()
    await stop()
  }
  return { inAcme, must, plan, people, close }
}
