/** What is kept to answer a repeated request with: for a day, in every company. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope.server.ts'
import { forgetAnswers } from '#app/jobs/forget-answers.server.ts'
import { createJourneysWorld, type JourneysWorld } from './journeys-world.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

it('goes after a day, and not before', async () => {
  const keep = (tenant_id: string, user_id: number, hours: number) =>
    inScope(world.database.app, systemActor(tenant_id), ({ db }) =>
      db
        .insertInto('idempotency_keys')
        .values({
          tenant_id,
          user_id,
          key: `${hours} hours ago`,
          request_hash: Buffer.from('a'),
          created_on: sql<Date>`now() - make_interval(hours => ${hours})`,
        })
        .execute(),
    )
  const kept = (tenant_id: string) =>
    inScope(world.database.app, systemActor(tenant_id), async ({ db }) =>
      (await db.selectFrom('idempotency_keys').select('key').execute()).map(({ key }) => key),
    )
  const { adam, greta } = world.people
  for (const [tenant, { user_id }] of [
    [world.acme, adam],
    [world.globex, greta],
  ] as const)
    for (const hours of [23, 25]) await keep(tenant, user_id, hours)
  await forgetAnswers({ database: world.database.worker })
  expect([await kept(world.acme), await kept(world.globex)]).toEqual([['23 hours ago'], ['23 hours ago']])
})
