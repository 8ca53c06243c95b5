/** People who see a journey only as its participants get that view of it, whatever roles they have in other sub-tenants. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDemo } from '#tests/support/demo.ts'

/** The steps by which an administrator of one sub-tenant once read colleagues' assessments in others. */
describe('An administrator of one sub-tenant, in the demo', () => {
  const [ADAM, NOAH] = ['adam@northwind.example', 'noah.moreau.5@northwind.example']
  let demo: Awaited<ReturnType<typeof createDemo>>
  let noah: { id: number; email: string }
  let part: Record<string, string>
  /** Two journeys of the whole company in which Noah, who administers the Americas, is a learner. */
  let leading: number
  let onboarding: number
  beforeAll(async () => {
    demo = await createDemo()
    part = Object.fromEntries(
      (
        await sql<{ id: string; name: string }>`select id, name from sub_tenants`.execute(demo.admin)
      ).rows.map(({ id, name }) => [name.replace('Northwind ', ''), id]),
    )
    const journeys = await sql<{ id: number; name: string }>`select id::int, name from journeys`.execute(
      demo.admin,
    )
    const idOf = (wanted: string) => journeys.rows.find(({ name }) => name === wanted)?.id ?? 0
    ;[leading, onboarding] = [idOf('Leading your first team'), idOf('Your first week')]
    const found = await sql<typeof noah>`select id::int, email from users where id = 12`.execute(demo.admin)
    noah = found.rows[0] as typeof noah
    const roles = [{ role: 'admin', sub_tenant_id: part.Americas }]
    const made = await demo.call(ADAM, 'PUT', `/users/${noah.id}`, { user_general_roles: roles })
    expect([made.status, noah.email]).toEqual([200, NOAH])
  }, 120_000)
  afterAll(() => demo?.drop())

  const statusOf = async (path: string, method = 'GET', body?: object) =>
    [method, path, (await demo.call(NOAH, method, path, body)).status] as const

  /** The calls about a journey that only its managers can make. */
  async function managed(journey: number): Promise<[string, string, object?][]> {
    const { rows } = await sql<{ lift: number; prompt: number; person: number; form: number | null }>`
      select l.id::int as lift, (select min(p.id)::int from prompts p where p.lift_id = l.id) as prompt,
        (select min(m.user_id)::int from members m where m.journey_id = l.journey_id and m.user_id <> 12) as person,
        (select min(a.id)::int from assessments a where a.journey_id = l.journey_id) as form
      from lifts l where l.journey_id = ${journey} order by l.position desc limit 1`.execute(demo.admin)
    const { lift, prompt, person, form } = rows[0] as (typeof rows)[number]
    const llj = `/lljs/${journey}`
    return [
      ...['', '/file', '/lifts', '/members', '/sponsors', '/schedule', '/schedule/preview'].map(
        (more): [string, string] => ['GET', `${llj}${more}`],
      ),
      ['GET', `${llj}/learning_objectives`],
      ['GET', `${llj}/assessments`],
      ['GET', `${llj}/assessments/${person}`],
      ['GET', `/lifts/${lift}`],
      ['GET', `/lifts/${lift}/test_page`],
      ['GET', `/lifts/${lift}/send_now`],
      ['POST', `${llj}/duplicate`, {}],
      ['POST', `${llj}/schedule/preview`, {}],
      ['PUT', llj, { name: 'Mine', lock_version: 0 }],
      ['POST', `${llj}/pause`, {}],
      ['POST', `${llj}/archive`, {}],
      ['PATCH', `${llj}/author`, { author_id: 12 }],
      ['POST', `${llj}/members`, { user_ids: [12] }],
      ['PUT', `/prompts/${prompt}`, { kind: 'short_text', text: 'Mine?' }],
      ...(form === null
        ? []
        : ([
            ['PUT', `/assessments/${form}`, { name: 'Mine', lock_version: 0 }],
            ['POST', `/assessments/${form}/forms/${person}/reopen`, { reason: 'Mine' }],
          ] as [string, string, object][])),
    ]
  }

  async function expectNothingOf(journey: number) {
    const all = await managed(journey)
    const answers = []
    for (const [method, path, body] of all) answers.push(await statusOf(path, method, body))
    expect(answers).toEqual(all.map(([method, path]) => [method, path, 404]))
    const lists = ['/lljs?per_page=100', '/lljs/data'].map((path) => demo.call(NOAH, 'GET', path))
    for (const { json } of await Promise.all(lists))
      expect(json.data.map(({ id }: { id: number }) => id)).not.toContain(journey)
    for (const report of ['by_user', 'by_lift', 'overview']) {
      const { json } = await demo.call(NOAH, 'GET', `/analytics/${report}?journey=${journey}`)
      expect([report, json.data ?? [], json.learners ?? 0, json.lifts ?? 0]).toEqual([report, [], 0, 0])
    }
  }

  it('sees journeys of the whole company as a learner', async () => {
    const { json } = await demo.call(NOAH, 'GET', '/learner/lljs')
    expect(json.data.map(({ id }: { id: number }) => id)).toEqual(
      expect.arrayContaining([leading, onboarding]),
    )
    expect((await demo.call(NOAH, 'GET', `/learner/lljs/${leading}`)).json.lifts.length).toBeGreaterThan(0)
  })

  it('cannot manage those journeys or read their figures', async () => {
    await expectNothingOf(leading)
    await expectNothingOf(onboarding)
    const { json } = await demo.call(NOAH, 'GET', '/analytics/by_user')
    expect(json.data.map(({ user_id }: { user_id: number }) => user_id)).not.toContain(4)
    expect((await demo.call(NOAH, 'GET', `/analytics/by_user?journey=${onboarding}&user=4`)).status).toBe(404)
  })

  it('sees an assessment as its subject, without the right to manage or reopen it', async () => {
    const { status, json } = await demo.call(NOAH, 'GET', `/lljs/${onboarding}/assessments/12`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ is_self: true, may_manage: false, may_reopen: false })
  })

  it('gets no further access as a participant of another sub-tenant’s journey', async () => {
    const { rows } = await sql<{ id: number }>`select id::int from journeys
      where sub_tenant_id = ${part.Europe} limit 1`.execute(demo.admin)
    const id = rows[0]?.id ?? 0
    expect((await statusOf(`/lljs/${id}`))[2]).toBe(404)
    for (const role of ['learner', 'sponsor', 'facilitator']) {
      const added = await demo.call(ADAM, 'POST', `/lljs/${id}/members`, { user_ids: [12], role })
      expect([role, added.status]).toEqual([role, 201])
      await expectNothingOf(id)
    }
    expect((await demo.call(NOAH, 'GET', `/learner/lljs/${id}`)).json).toMatchObject({ id })
  })

  it('exports no other sub-tenants’ journeys of a person; no administrator exports learner-only answers', async () => {
    const EVA = 'eva@northwind.example'
    const inEurope = { 'x-sub-tenant-id': part.Europe ?? '' }
    const copyBy = async (email: string, headers: HeadersInit = {}) => {
      const { status, json } = await demo.call(email, 'GET', '/users/4/data_export', undefined, headers)
      expect([email, status]).toEqual([email, 200])
      return {
        journeys: json.journeys.length as number,
        answers: json.answers.length as number,
        peers: json.assessments.filter(({ rater }: { rater: string }) => rater === 'peers').length as number,
      }
    }
    const [own, adam, eva] = [
      await copyBy('uri@northwind.example'),
      await copyBy(ADAM),
      await copyBy(EVA, inEurope),
    ]
    expect(adam).toEqual({ ...own, peers: 0 })
    expect(own.peers).toBeGreaterThan(0)
    expect(eva.journeys).toBeLessThan(own.journeys)
    expect(eva.answers).toBeLessThan(own.answers)
    await sql`update prompts set visibility = 'learner_only'`.execute(demo.admin)
    expect([(await copyBy(ADAM)).answers, (await copyBy('uri@northwind.example')).answers]).toEqual([
      0,
      own.answers,
    ])
  })
})
