/** Facts of analytics: kept up to date, the same when derived again, and fixed once a journey is archived. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { foldLearners, rederiveLearners } from '#app/domain/journeys/learner-tallies.server.ts'
import { foldTallies, rederiveTallies } from '#app/domain/journeys/tallies.server.ts'
import { rederiveFacts, writeFact, writeFactsOfMembers } from '#app/domain/occurrences/facts.server.ts'
import { recordDelivery } from '#app/domain/sending/delivery-reports.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const inAcme = inAcmeOf(() => world)

async function launched(name: string) {
  const { id, lift, prompt } = await world.draft(['uri', 'aya', 'nora'], { name })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  await world.drain(createTestCarrier().carriers)
  const answer = (who: 'uri' | 'aya') =>
    world.must(who, 'POST', `/lifts/${lift}/responses`, { responses: [{ prompt_id: prompt, value: 'a' }] })
  return { id, lift, answer }
}

async function figures(id: number) {
  const { as_of: _, ...overview } = await world.must('adam', 'GET', `/analytics/overview?journey=${id}`)
  const { as_of: __, ...timing } = await world.must('adam', 'GET', `/analytics/timing?journey=${id}`)
  return { ...overview, timing }
}

it('Deriving facts and tallies again changes nothing, and repairs rows that are wrong', async () => {
  const { id, lift, answer } = await launched('Derived again')
  await answer('uri')
  const { lock_version } = await world.must('adam', 'GET', `/lifts/${lift}`)
  await world.must('adam', 'PUT', `/lifts/${lift}`, { required: false, lock_version })
  const again = () =>
    inAcme(async (scope) => [await rederiveFacts(scope, id), await rederiveTallies(scope, id)])
  expect(await again()).toEqual([0, 0])
  const before = await figures(id)
  await inAcme(({ db }) =>
    sql`update fact_occurrence set delivery = 'failed', due_at = due_at - interval '2 days'
      where journey_id = ${id}`.execute(db),
  )
  expect(await figures(id)).not.toEqual(before)
  for (const table of ['lift_tallies', 'answer_tallies', 'learner_tallies'])
    await inAcme(({ db }) => sql`delete from ${sql.table(table)} where journey_id = ${id}`.execute(db))
  await inAcme(({ db }) =>
    sql`update fact_learner set first_due_at = null, longest_gap = 9, owes_from = null where journey_id = ${id}`.execute(
      db,
    ),
  )
  expect((await again())[0]).toBe(3)
  expect(await again()).toEqual([0, 0])
  expect(await figures(id)).toEqual(before)
  await inAcme((scope) => foldTallies(scope, id))
  expect(await figures(id)).toEqual(before)
  expect(before.timing).toMatchObject({ sent: 3, days: expect.arrayContaining([{ day: 0, answered: 1 }]) })
})

it('Writing a fact keeps what a concurrent transaction wrote to it', async () => {
  const { id } = await launched('At the same time')
  const { member_id, occurrence_id } = await inAcme(({ db }) =>
    db
      .selectFrom('fact_occurrence')
      .select(['member_id', 'occurrence_id'])
      .where('journey_id', '=', id)
      .executeTakeFirstOrThrow(),
  )
  let written = Promise.resolve()
  await inAcme(async (scope) => {
    await scope.db.updateTable('members').set({ exclude_data: true }).where('id', '=', member_id).execute()
    await writeFactsOfMembers(scope, [member_id])
    written = inAcme((other) => writeFact(other, occurrence_id))
    // The second write began before this commit, and waits for it.
    await Promise.race([written, sleep(500)])
  })
  await written
  const { exclude_data } = await inAcme(({ db }) =>
    db
      .selectFrom('fact_occurrence')
      .select('exclude_data')
      .where('occurrence_id', '=', occurrence_id)
      .executeTakeFirstOrThrow(),
  )
  expect(exclude_data).toBe(true)
})

it('Figures count a lift that was due a second ago, and not one that is due in 20 seconds', async () => {
  const { id } = await launched('Just now')
  const assigned = async () => {
    const of = (path: string) => world.must('adam', 'GET', path)
    const overview = await of(`/analytics/overview?journey=${id}`)
    const [{ data }, { weeks }] = [
      await of(`/analytics/by_lift?journey=${id}`),
      await of(`/analytics/trend?journey=${id}`),
    ]
    const sum = (rows: { counts: { assigned: number } }[]) =>
      rows.reduce((all, { counts }) => all + counts.assigned, 0)
    return [overview.counts.assigned, sum(data), sum(weeks)]
  }
  const move = (to: string, who: 'uri' | 'aya' | 'nora') =>
    inAcme(({ db }) =>
      sql`update fact_occurrence set due_at = now() + ${to}::interval
        where journey_id = ${id} and user_id = ${world.people[who].user_id}`.execute(db),
    )
  await move('-1 second', 'uri')
  expect(await assigned()).toEqual([3, 3, 3])
  await move('20 seconds', 'aya')
  expect(await assigned()).toEqual([2, 2, 2])
  await move('20 minutes', 'nora')
  expect(await assigned()).toEqual([1, 1, 1])
})

it('The overview counts the learners who had a lift due within a range of days', async () => {
  const { id, lift } = await world.draft(['uri', 'aya'], { name: 'In some days' })
  const more = [1, 2].map((nth) =>
    world.must('adam', 'POST', `/lljs/${id}/lifts`, {
      ...{ title: `Lift ${nth}`, sms_text: 'Hi: {{link}}', status: 'ready' },
      blocks: [{ kind: 'text', markdown: 'Words' }],
    }),
  )
  const lifts = [lift, ...(await Promise.all(more)).map((one) => one.id)]
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  // Due for Uri 40, 30 and 10 days ago, for Aya 20 days ago only.
  await inAcme(async ({ db }) => {
    for (const [nth, ago] of [40, 30, 10].entries())
      await sql`update fact_occurrence set due_at = ${day(ago)}::timestamptz + interval '12 hours', state = 'sent',
          exclude_data = user_id = ${world.people.aya.user_id} and ${nth > 0}
        where journey_id = ${id} and lift_id = ${lifts[nth]}`.execute(db)
    await sql`update fact_occurrence set due_at = ${day(20)}::timestamptz + interval '12 hours'
      where journey_id = ${id} and user_id = ${world.people.aya.user_id}`.execute(db)
  })
  const learners = async (from: number | null, to: number | null) => {
    const days = `${from === null ? '' : `&from=${day(from)}`}${to === null ? '' : `&to=${day(to)}`}`
    return (await world.must('adam', 'GET', `/analytics/overview?journey=${id}${days}`)).learners
  }
  for (const [from, to, wanted] of [
    [null, null, 2],
    [45, 41, 0],
    [41, 39, 1],
    [38, 32, 0],
    [35, 15, 2],
    [28, 12, 1],
    [29, 21, 0],
    [15, null, 1],
    [null, 35, 1],
    [9, null, 0],
  ] as const)
    expect([from, to, await learners(from, to)]).toEqual([from, to, wanted])
  expect(await inAcme((scope) => rederiveTallies(scope, id))).toBe(0)
})

it('The number of learners stays right while tallies are folded, changed and derived again', async () => {
  const told = async () => (await world.must('adam', 'GET', '/analytics/overview')).learners
  const inSum = () =>
    inAcme(async ({ db }) => {
      const { rows } = await sql<{ changes: number; many: number }>`
        select (select count(*) from fact_user_changes) as changes, coalesce(sum(many), 0) as many
        from learner_tallies where journey_id is null`.execute(db)
      return rows[0]
    })
  const move = (by: string, who: 'uri' | 'aya' | 'nora') =>
    inAcme(({ db }) =>
      sql`update fact_occurrence set due_at = now() + ${by}::interval
        where user_id = ${world.people[who].user_id}`.execute(db),
    )
  const [one, other] = [await launched('Counted once'), await launched('Not counted twice')]
  expect(await told()).toBe(3)
  await inAcme(foldLearners)
  expect([await told(), await inSum()]).toEqual([3, { changes: 0, many: 3 }])
  for (const by of ['20 seconds', '20 minutes']) {
    await move(by, 'uri')
    expect(await told()).toBe(2)
    await inAcme(foldLearners)
    expect([await told(), await inSum()]).toEqual([2, { changes: 0, many: 3 }])
  }
  await move('-1 hour', 'uri')
  await inAcme(({ db }) => sql`delete from journeys where id = ${other.id}`.execute(db))
  expect(await told()).toBe(3)
  // Two folds run at once while facts of Uri and Aya move.
  for (let round = 0; round < 20; round += 1)
    await Promise.all([
      move(`-${round + 1} hours`, 'uri'),
      move(round % 2 ? '-1 hour' : '1 hour', 'aya'),
      inAcme(foldLearners),
      inAcme(foldLearners),
    ])
  expect(await told()).toBe(3)
  expect(await inAcme(rederiveLearners)).toBe(0)
  await inAcme(({ db }) =>
    sql`insert into fact_user_changes (tenant_id, user_id)
    select scope_tenant(), ${world.people.nora.user_id} from generate_series(1, 60_000)`.execute(db),
  )
  expect(await told()).toBe(3)
  // A statement that folds them all would take a minute of a busy machine, and be cancelled.
  expect(await inAcme(foldLearners)).toBe(true)
  expect(await inSum()).toEqual({ changes: 35_000, many: 3 })
  await world.drain()
  expect([await told(), await inSum()]).toEqual([3, { changes: 0, many: 3 }])
  await inAcme(({ db }) => sql`update fact_user set first_due_at = now() + interval '1 day'`.execute(db))
  await inAcme(({ db }) => sql`delete from learner_tallies where journey_id is null`.execute(db))
  expect(await told()).not.toBe(3)
  expect(await inAcme(rederiveLearners)).toBeGreaterThan(3)
  expect([await told(), await inAcme(rederiveLearners)]).toEqual([3, 0])
  expect((await figures(one.id)).learners).toBe(3)
})

it('Two transactions that fold tallies at the same time lose no change made in between', async () => {
  const { id, answer } = await launched('Folded by two')
  const { other } = await inAcme(async (scope) => {
    await foldTallies(scope, id)
    await answer('uri')
    const other = inAcme((beside) => foldTallies(beside, id))
    await expect.poll(world.database.countWaiting).toBe(1)
    return { other }
  })
  await other
  expect(await inAcme((scope) => rederiveTallies(scope, id))).toBe(0)
})

it('Concurrent changes to the same learners in opposite orders neither deadlock nor spoil the tallies', async () => {
  const { id, lift } = await world.draft(['uri', 'aya'], { name: 'Each the other way round' })
  const other = await world.must('adam', 'POST', `/lljs/${id}/lifts`, {
    ...{ title: 'Another', sms_text: 'Hi: {{link}}', status: 'ready' },
    blocks: [{ kind: 'text', markdown: 'Words' }],
  })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  const change = (of: number, moved: 'uri' | 'aya') =>
    inAcme(({ db }) =>
      sql`update fact_occurrence set
          due_at = case when user_id = ${world.people[moved].user_id} then due_at - interval '1 minute' else due_at end,
          required = (user_id = ${world.people[moved].user_id}) = required,
          state = case state when 'sent' then 'due' else 'sent' end
        where journey_id = ${id} and lift_id = ${of}`.execute(db),
    )
  for (let round = 0; round < 50; round += 1)
    await Promise.all([change(lift, 'uri'), change(other.id, 'aya')])
  expect(await inAcme((scope) => rederiveTallies(scope, id))).toBe(0)
})

it('An excluded learner disappears from the figures, and comes back when included again', async () => {
  const { id, answer } = await launched('Excluded and back')
  await answer('uri')
  const before = await figures(id)
  const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
  const uri = data.find((one: { user_id: number }) => one.user_id === world.people.uri.user_id)
  const exclude = (exclude_data: boolean) =>
    world.must('adam', 'PATCH', `/lljs/${id}/members`, { member_ids: [uri.id], exclude_data })
  await exclude(true)
  expect(await figures(id)).toMatchObject({ learners: 2, counts: { assigned: 2, responded: 0 } })
  await exclude(false)
  expect(await figures(id)).toEqual(before)
})

it('An archived journey’s figures ignore receipts, views and erasures, and change only with exclusions', async () => {
  const { id, lift, answer } = await launched('Put away')
  await answer('uri')
  await world.must('adam', 'POST', `/lljs/${id}/complete`, {})
  await world.must('adam', 'POST', `/lljs/${id}/archive`, {})
  const before = await figures(id)
  expect(before.counts).toMatchObject({ assigned: 3, opened: 1, delivered: 0 })
  await world.must('aya', 'GET', `/lifts/${lift}/page`)
  await inAcme(async (scope) => {
    const { rows } = await sql<{
      id: number
      provider_id: string
    }>`select d.id, d.provider_id from dispatches d
      join occurrences o on o.id = d.occurrence_id where o.journey_id = ${id}`.execute(scope.db)
    for (const row of rows)
      await recordDelivery(scope, `${world.acme}:${row.id}`, { ...row, delivered: true, code: null })
  })
  await world.must('adam', 'POST', `/users/${world.people.nora.user_id}/erasure`, {})
  await inAcme((scope) => rederiveFacts(scope))
  expect(await figures(id)).toEqual(before)
  const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
  const member_ids = [data.find((one: { user_id: number }) => one.user_id === world.people.uri.user_id).id]
  await world.must('adam', 'PATCH', `/lljs/${id}/members`, { member_ids, exclude_data: true })
  expect((await figures(id)).counts).toMatchObject({ assigned: 2, opened: 0 })
})
