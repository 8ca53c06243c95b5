/** Responses kept for repeated requests: for a day, in every company, and never with secrets. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { forgetAnswers } from '#app/jobs/forget-answers.server.ts'
import { wordsOfPosts } from '#tests/api/isolation/matrix-router.ts'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const keysOf = (tenant_id: string) =>
  inScope(world.database.app, systemActor(tenant_id), ({ db }) =>
    db.selectFrom('idempotency_keys').select(['key', 'body']).execute(),
  )

describe('A call that takes or returns a password, code or secret', () => {
  const SECRET = /secret|password|^code$|token|otp|^uri$/i
  /** Fields with such a name that hold no secret. */
  const PLAIN: Record<string, string> = {
    'POST /lljs/{id}/schedule/preview': 'code: which problem a launch would meet',
    'POST /lljs/{id}/learning_objectives': 'code: the short name of an objective',
  }

  it('declares that its responses are never kept', async () => {
    const secret = (await wordsOfPosts()).filter(
      ({ name, words }) => !(name in PLAIN) && words.some((word) => SECRET.test(word)),
    )
    expect(secret.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['POST /users/me/security/app', 'POST /users/me/contacts/confirm']),
    )
    expect(secret.filter(({ kept }) => kept !== 'never kept').map(({ name }) => name)).toEqual([])
  })

  it('is not replayed from a kept response, and leaves no idempotency key in the database', async () => {
    const change = { kind: 'email', value: 'uri.new@people.example', password: 'x' }
    const wish = (key?: string) => world.call('uri', 'POST', '/users/me/contacts', change, key ? { key } : {})
    expect((await wish('secret-1')).status).toBe(202)
    const again = await wish('secret-1')
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, null])
    expect((await keysOf(world.acme)).filter(({ key }) => key === 'secret-1')).toEqual([])
  })
})

describe('The same idempotency key', () => {
  it('is refused in another sub-tenant and with another query string', async () => {
    const make = (sub: string | null) =>
      world.call('adam', 'POST', '/lljs', { name: 'Once' }, { sub, key: 'place-1' })
    const first = await make(null)
    expect([first.status, first.json.sub_tenant_id]).toEqual([201, null])
    expect((await make(null)).json.id).toBe(first.json.id)
    const inNorth = await make(world.north)
    expect([inNorth.status, inNorth.text.includes('"id"')]).toEqual([422, false])
    const asked = await world.call('adam', 'POST', '/lljs?page=2', { name: 'Once' }, { key: 'place-1' })
    expect(asked.status).toBe(422)
  })

  it('creates one journey in each of two companies', async () => {
    const make = (as: string) => world.call('sofia', 'POST', '/lljs', { name: 'Twice' }, { as, key: 'twice' })
    const [here, there] = [await make(world.acme), await make(world.globex)]
    expect([here.status, there.status]).toEqual([201, 201])
    expect(here.json.id).not.toBe(there.json.id)
  })
})

it('Idempotency keys are deleted after a day, and not before', async () => {
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
      (
        await db.selectFrom('idempotency_keys').select('key').where('key', 'like', '% hours ago').execute()
      ).map(({ key }) => key),
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
