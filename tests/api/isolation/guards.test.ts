/** Refusals that the matrix does not reach: a second object in a request, a missing role, a direct call of the domain. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toActor } from '#app/auth/actor.server.ts'
import type { Principal } from '#app/auth/principal.ts'
import { selectMatching } from '#app/domain/analytics/population.server.ts'
import { readClockAndHours } from '#app/domain/journeys/clock-and-hours.server.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { insideTenant } from '#app/domain/tenants/find-tenant.server.ts'
import { updateUser } from '#app/domain/users/changing.server.ts'
import { listUsers } from '#app/domain/users/users.server.ts'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

/** A call by a principal that the test makes up. */
const asked = (principal: Principal, method: string, path: string, body?: object) =>
  world.api.fetch(
    new Request(`http://api.test/api/v1${path}`, {
      method,
      headers: {
        authorization: 'Bearer made',
        'x-tenant-id': principal.tenant_id,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
    { caller: { token: 'made', principal } },
  )

const membersOf = async (id: number) =>
  (await world.must('adam', 'GET', `/lljs/${id}/members`)).data as { id: number; user_id: number }[]

/** A file of the company, shown in the lift. */
async function showFile(lift_id: number): Promise<string> {
  const file = {
    tenant_id: world.acme,
    kind: 'file',
    content_type: 'text/plain',
    file_name: 'a.txt',
    size: 1,
    sha256: Buffer.from('a'),
    bytes: Buffer.from('a'),
  }
  return inScope(world.database.app, systemActor(world.acme), async ({ db }) => {
    const { id } = await db.insertInto('files').values(file).returning('id').executeTakeFirstOrThrow()
    await db
      .insertInto('file_uses')
      .values({ tenant_id: world.acme, file_id: id, lift_id, version: 0 })
      .execute()
    return id
  })
}

describe('An administrator of a sub-tenant', () => {
  it('who is a learner in a journey of the whole company cannot manage it', async () => {
    const { id, lift } = await world.draft(['nora'], { name: 'Of everybody' })
    const changes: [string, string, object?][] = [
      ['GET', `/lljs/${id}`],
      ['PUT', `/lljs/${id}`, { name: 'Mine now', lock_version: 0 }],
      ['POST', `/lljs/${id}/learning_objectives`, { code: 'M', text: 'Mine too' }],
      ['PUT', `/lifts/${lift}`, { title: 'Mine as well' }],
      ['POST', `/lljs/${id}/members`, { user_ids: [world.people.both.user_id] }],
      ['POST', `/lljs/${id}/launch`, {}],
      ['GET', `/lifts/${lift}/send_now`],
      ['DELETE', `/lifts/${lift}`],
      ['DELETE', `/lljs/${id}`],
    ]
    for (const [method, path, body] of changes)
      expect([method, path, (await world.call('nora', method, path, body)).status]).toEqual([
        method,
        path,
        404,
      ])
    expect(await world.must('adam', 'GET', `/lljs/${id}`)).toMatchObject({ name: 'Of everybody' })
  })

  it('who is a learner in such a journey cannot change it in the database either', async () => {
    const { id, lift, prompt } = await world.draft(['nora'], { name: 'Of everybody too' })
    const { user_id } = world.people.nora
    const file_id = await showFile(lift)
    const inNorth = { ...systemActor(world.acme), user_id, sub_tenant_id: world.north }
    for (const actor of [inNorth, { ...inNorth, as_participant: true }]) {
      const touched = await inScope(world.database.app, actor, async ({ db }) => [
        (await db.updateTable('lifts').set({ title: 'Mine' }).where('id', '=', lift).execute())[0]
          ?.numUpdatedRows,
        (await db.deleteFrom('prompts').where('id', '=', prompt).execute())[0]?.numDeletedRows,
        (await db.updateTable('file_uses').set({ version: 7 }).where('lift_id', '=', lift).execute())[0]
          ?.numUpdatedRows,
        (await db.deleteFrom('file_uses').where('lift_id', '=', lift).execute())[0]?.numDeletedRows,
      ])
      expect(touched).toEqual([0n, 0n, 0n, 0n])
      const another = { tenant_id: world.acme, file_id, lift_id: lift, version: 8 }
      await expect(
        inScope(world.database.app, actor, ({ db }) => db.insertInto('file_uses').values(another).execute()),
      ).rejects.toMatchObject({ code: '42501' })
    }
    expect(await world.must('adam', 'GET', `/lljs/${id}`)).toMatchObject({ lifts: 1 })
  })
})

describe('Another company', () => {
  const operator = () => ({ ...systemActor(world.home), is_super_admin: true })

  it('can be entered only by an operator, even in a transaction that sees all companies', async () => {
    const enter = (actor: ReturnType<typeof systemActor>) =>
      inScope(world.database.app, operator(), (scope) =>
        insideTenant({ ...scope, actor }, world.globex, async (inner) => inner.actor.tenant_id),
      )
    expect(await enter(operator())).toBe(world.globex)
    await expect(enter(systemActor(world.acme))).rejects.toMatchObject({ status: 404 })
  })
})

describe('A signed-in person', () => {
  it('without a role can read only their own user', async () => {
    const uri = { ...world.people.uri, roles: [] }
    expect((await asked(uri, 'GET', `/users/${uri.user_id}`)).status).toBe(200)
    expect((await asked(uri, 'GET', `/users/${world.people.aya.user_id}`)).status).toBe(403)
    expect((await asked(uri, 'GET', '/users')).status).toBe(403)
  })

  it('who was deleted meanwhile gets 404 for their own data', async () => {
    const gone = { ...world.people.uri, user_id: 2_000_000_000 }
    for (const path of ['/users/me', '/users/me/consents', '/users/me/notification_preferences'])
      expect([path, (await asked(gone, 'GET', path)).status]).toEqual([path, 404])
  })
})

describe('The domain', () => {
  it('refuses lists of people and figures to a person without a role', async () => {
    const actor = toActor({ ...world.people.uri, roles: [] }, {})
    const asked = <Result>(work: (scope: Scope) => Result) =>
      inScope(world.database.app, actor, async (scope) => work(scope))
    const people = asked((scope) =>
      listUsers(scope, { q: '', role: [], page: 1, per_page: 20, order_by: 'name', order: 'asc' }),
    )
    await expect(people).rejects.toMatchObject({ status: 403 })
    const facts = asked((scope) => void selectMatching(scope, {}, new Date()))
    await expect(facts).rejects.toMatchObject({ status: 403 })
  })

  it('does not find the hours of another company’s journey', async () => {
    const { id } = await world.draft([], { name: 'Hours' })
    const read = (who: Principal) =>
      inScope(world.database.app, toActor(who, {}), (scope) => readClockAndHours(scope, id))
    expect(await read(world.people.adam)).toHaveProperty('tenant_zone')
    await expect(read(world.people.greta)).rejects.toMatchObject({ status: 404 })
  })
})

describe('A colleague', () => {
  it('cannot be changed without the right to it, even by an empty change', async () => {
    const { uri, aya } = world.people
    const saved = inScope(world.database.app, toActor(uri, {}), (scope) => updateUser(scope, aya.user_id, {}))
    await expect(saved).rejects.toMatchObject({ status: 403 })
  })
})

describe('A second object in a request', () => {
  it('has to be an existing kind of message', async () => {
    expect((await world.call('adam', 'GET', '/message_previews/lift')).status).toBe(200)
    expect((await world.call('adam', 'GET', '/message_previews/nothing')).status).toBe(404)
  })

  it('has to be a participant of the same journey', async () => {
    const { id } = await world.draft(['uri', 'both'], { name: 'Here' })
    const there = await world.draft(['uri'], { name: 'There' })
    const [other] = await membersOf(there.id)
    const change = { member_ids: [other?.id], exclude_data: true }
    expect((await world.call('adam', 'PATCH', `/lljs/${id}/members`, change)).status).toBe(404)
    expect((await world.call('adam', 'DELETE', `/lljs/${id}/members/${other?.id}`)).status).toBe(404)

    const [gone] = await membersOf(id)
    await world.must('adam', 'POST', `/lljs/${id}/launch`, {})
    const path = `/lljs/${id}/members/${gone?.id}`
    expect((await world.call('adam', 'DELETE', path)).status).toBe(200)
    expect((await world.call('adam', 'DELETE', path)).status).toBe(404)
  })

  it('has to be a learner of the journey for a schedule preview', async () => {
    const { id } = await world.draft(['uri'], { name: 'Drawn' })
    const preview = (who: 'uri' | 'aya') =>
      world.call('adam', 'GET', `/lljs/${id}/schedule/preview?user_id=${world.people[who].user_id}`)
    expect((await preview('uri')).status).toBe(200)
    expect((await preview('aya')).status).toBe(404)
  })
})

describe('A super admin', () => {
  it('cannot be changed by an administrator of the operator’s tenant who is not a super admin', async () => {
    const { sofia, adam } = world.people
    const colleague = {
      ...adam,
      ...(await inScope(world.database.app, systemActor(world.home), async ({ db }) => {
        const { id } = await db
          .insertInto('users')
          .values({ tenant_id: world.home, email: 'colleague@home.example', activation_status: 'active' })
          .returning('id')
          .executeTakeFirstOrThrow()
        return { user_id: id, tenant_id: world.home }
      })),
      roles: [{ role: 'admin' as const, tenant_id: world.home, sub_tenant_id: null }],
    }
    const ask = (method: string, path: string, body?: object) => asked(colleague, method, path, body)
    const path = `/users/${sofia.user_id}`
    expect((await ask('GET', path)).status).toBe(200)
    expect((await ask('PUT', path, { last_name: 'Other' })).status).toBe(403)
    expect((await ask('PATCH', `${path}/activation`, { activation_status: 'disabled' })).status).toBe(403)
    expect((await ask('DELETE', path)).status).toBe(403)
  })
})
