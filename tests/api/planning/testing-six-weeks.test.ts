/** The demo's six weeks, played in the testing tenant by the product itself, and then reset. */

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setSecret } from '#app/auth/seal.server.ts'
import { beginAgain } from '#app/demo/again.server.ts'
import type { Handset } from '#app/domain/testing/handset.ts'
import { startWorkers } from '#app/jobs/workers.server.ts'
import { createDemo } from '#tests/support/demo.ts'

const TESS = 'tess@testing.example'
const TONI = 'toni@testing.example'
const WEEKS = 6
const never = async (): Promise<never> => {
  throw new Error('Nobody asks the provider.')
}
const erased: string[] = []
const identityAdmin = {
  ...{ invite: never, setEnabled: never, changeEmail: never, requireReset: never },
  ...{ setSecondFactor: never, signOutEverywhere: never },
  erase: async ({ sub }: { sub: string }) => void erased.push(sub),
}
let demo: Awaited<ReturnType<typeof createDemo>>
let tenant: string
/** Warnings and errors that the workers logged. */
const failures: object[] = []

beforeAll(async () => {
  setSecret('a-secret-for-tests-of-at-least-32-characters')
  demo = await createDemo()
  const [own] = await rows<{ id: string }>(sql`select id from tenants where is_testing`)
  tenant = own?.id ?? ''
  await sql`update users set weekly_summary = true where email = ${TESS}`.execute(demo.admin)
}, 120_000)
afterAll(() => demo?.drop())

const rows = async <Row>(query: ReturnType<typeof sql>): Promise<Row[]> =>
  (await query.execute(demo.admin)).rows as Row[]
async function count(query: ReturnType<typeof sql>): Promise<number> {
  const [row] = await rows<{ count: string }>(query)
  return Number(row?.count)
}
const api = async (method: string, path: string, body?: object) => {
  const answer = await demo.call(TESS, method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.json
}

/** Runs the workers until the clock has arrived. */
async function rest(): Promise<void> {
  const { app, worker, workerUrl } = demo.database
  const [pool] = await rows<{ id: string; issuer: string }>(
    sql`select id, issuer from pools where is_default`,
  )
  const seeding = {
    ...{ database: app, config: { DATA_DIR: demo.dataDir }, makeAccount: never },
    ...{ issuer: pool?.issuer ?? '', pool_id: pool?.id ?? '' },
  }
  const told = (fields: Record<string, unknown>) => void failures.push(fields)
  const workers = await startWorkers({
    databases: { worker, workerUrl },
    ...{ origin: 'http://localhost:3000', identityAdmin, isIdle: true },
    log: { info() {}, warn: told, error: told },
    stopLink: () => 'http://localhost:3000/unsubscribe/x',
    seedTesting: (id, by) => beginAgain(seeding, id, by),
  })
  try {
    for (let turn = 0; turn < 20; turn++) {
      await workers.drain()
      if ((await api('GET', '/testing/clock')).move === null) return
    }
    throw new Error('The clock does not come to rest.')
  } finally {
    await workers.stop()
  }
}

async function play(answers: 'none' | 'some' | 'most', weeks: number): Promise<void> {
  for (let week = 0; week < weeks; week++) {
    const { version } = await api('GET', '/testing/clock')
    await api('POST', '/testing/clock', { by: 'week', answers, version })
    await rest()
  }
}

/** The learners who completed the first lift, and their answers. */
const firstAnswers = () =>
  rows(sql`select u.email, r.value from responses r join lifts l on l.tenant_id = r.tenant_id and l.id = r.lift_id
    join members m on m.tenant_id = r.tenant_id and m.id = r.member_id
    join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
    where r.tenant_id = ${tenant} and l.title = 'Ask first' order by u.email`)
const elsewhere = () =>
  rows(sql`select (select count(*) from journeys where tenant_id <> ${tenant}) as journeys,
    (select count(*) from responses where tenant_id <> ${tenant}) as responses,
    (select count(*) from users where tenant_id <> ${tenant}) as users,
    (select count(*) from notifications where tenant_id <> ${tenant}) as notifications,
    (select sum(clock_ahead_ms) from tenants where id <> ${tenant}) as ahead`)

let played: unknown[]

describe('Six weeks played with most learners answering', () => {
  beforeAll(() => play('most', WEEKS), 400_000)

  it('log no failure', () => {
    expect(failures).toEqual([])
  })

  it('send all lifts, by text and by e-mail, outside quiet hours', async () => {
    const sent = await rows<{ channel: string; hour: number }>(sql`
      select d.channel, extract(hour from d.sent_at at time zone coalesce(u.timezone, t.timezone))::int as hour
      from dispatches d join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
        join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
        join users u on u.tenant_id = m.tenant_id and u.id = m.user_id join tenants t on t.id = u.tenant_id
      where d.tenant_id = ${tenant} and d.kind = 'lift' and d.state = 'delivered'`)
    expect(sent).toHaveLength(6 * WEEKS)
    expect(new Set(sent.map(({ channel }) => channel))).toEqual(new Set(['sms', 'email']))
    expect(sent.filter(({ hour }) => hour < 9 || hour >= 20)).toEqual([])
  })

  it('send reminders', async () => {
    expect(
      await count(sql`select count(*) from dispatches where tenant_id = ${tenant} and kind = 'reminder'
        and state = 'delivered'`),
    ).toBeGreaterThan(0)
  })

  it('bring answers, some by text, and show how texts were read', async () => {
    played = await firstAnswers()
    expect(played.length).toBeGreaterThan(2)
    const { data } = await api('GET', '/testing/handsets?per_page=24')
    const lines = data.flatMap(({ texts }: { texts: { data: { reading: string | null }[] } }) => texts.data)
    expect(lines.some(({ reading }: { reading: string | null }) => reading === 'answer')).toBe(true)
    expect(lines.some(({ reading }: { reading: string | null }) => reading === null)).toBe(true)
  })

  it('close lifts that were not answered in time', async () => {
    const open = sql`select count(*) from occurrences where tenant_id = ${tenant} and closes_at < tenant_now(${tenant})
      and completed_at is null`
    expect(await count(open)).toBeGreaterThan(0)
    const [late] = await rows<{ lift_id: number; email: string; prompt_id: number }>(sql`
      select o.lift_id, u.email, p.id as prompt_id from occurrences o
        join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
        join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
        join prompts p on p.tenant_id = o.tenant_id and p.lift_id = o.lift_id
      where o.tenant_id = ${tenant} and o.closes_at < tenant_now(${tenant}) and o.completed_at is null limit 1`)
    const responses = [{ prompt_id: Number(late?.prompt_id), value: 'option-1' }]
    const answer = await demo.call(late?.email ?? '', 'POST', `/lifts/${late?.lift_id}/responses`, {
      responses,
    })
    expect(answer.status).toBe(409)
  })

  it('complete lifts and the journey', async () => {
    expect(
      await count(sql`select count(*) from occurrences where tenant_id = ${tenant} and state = 'completed'`),
    ).toBeGreaterThan(WEEKS)
    const { data } = await api('GET', '/lljs')
    const status = Object.fromEntries(
      data.map((one: { name: string; status: string }) => [one.name, one.status]),
    )
    expect(status).toEqual({ 'A first lift': 'draft', 'Six weeks as a new lead': 'completed' })
  })

  it('remind learners of commitments on their day, and mark some as done', async () => {
    expect(
      await count(
        sql`select count(*) from commitments where tenant_id = ${tenant} and reminded_on is not null`,
      ),
    ).toBeGreaterThan(0)
    expect(
      await count(sql`select count(*) from commitments where tenant_id = ${tenant} and state = 'done'`),
    ).toBeGreaterThan(0)
  })

  it('send weekly e-mails to the sponsor and to the administrator who asked for a summary', async () => {
    const mails = await rows<{ recipient: string; mails: string }>(sql`
      select recipient, count(*) as mails from outbox_messages where tenant_id = ${tenant} and channel = 'email'
        and recipient in (${TESS}, ${TONI}) and (key like ${'%:summary:%'} or key like ${'%:sponsor:%week%'})
      group by 1 order by 1`)
    expect(mails.map(({ recipient }) => recipient)).toEqual([TESS, TONI])
    for (const { mails: number } of mails) expect(Number(number)).toBeGreaterThan(1)
  })

  it('open assessments before and after, submit some, and leave none open', async () => {
    const forms = await rows(sql`select a.phase, f.state, count(*)::int from assessment_forms f
      join assessments a on a.tenant_id = f.tenant_id and a.id = f.assessment_id where f.tenant_id = ${tenant}
      group by 1, 2`)
    for (const phase of ['pre', 'post'])
      expect(forms).toContainEqual({ phase, state: 'submitted', count: expect.any(Number) })
    expect(forms).not.toContainEqual(expect.objectContaining({ state: 'open' }))
  })

  it('do not move the clock of another tenant', async () => {
    expect(await elsewhere()).toEqual([expect.objectContaining({ ahead: 0 })])
  })
})

describe('“Start again”', () => {
  let before: unknown

  it('is refused in another tenant, and to people who are not administrators', async () => {
    const start = { version: 0 }
    expect((await demo.call('adam@northwind.example', 'POST', '/testing/start_again', start)).status).toBe(
      404,
    )
    expect((await demo.call(TONI, 'POST', '/testing/start_again', start)).status).toBe(403)
    const foreign = sql`with there as (select set_config('app.tenant_id',
      (select id::text from tenants where name = 'Northwind Logistics'), true)) select empty_testing_tenant('{}') from there`
    await expect(foreign.execute(demo.database.app)).rejects.toThrow('Only the testing tenant begins again')
  })

  it('resets journeys, people, messages and clock once, and is recorded in the audit log', async () => {
    before = await elsewhere()
    await sql`update users set first_name = 'Somebody', mobile_phone = null where email = 'lena@testing.example'`.execute(
      demo.admin,
    )
    await sql`with added as (insert into users (tenant_id, email, activation_status) values (${tenant}, 'new@testing.example', 'active')
      returning id) insert into user_identities (tenant_id, user_id, issuer, subject)
      select ${tenant}, id, (select issuer from pools where is_default), 'sub-new' from added`.execute(
      demo.admin,
    )
    const { version } = await api('GET', '/testing/clock')
    expect((await api('POST', '/testing/start_again', { version })).move).toMatchObject({
      starts_again: true,
    })
    expect((await api('POST', '/testing/start_again', { version })).version).toBe(version + 1)
    await rest()
    expect(await api('GET', '/testing/clock')).toMatchObject({ ahead_ms: 0, move: null })
    // Outside quiet hours, sponsors are e-mailed at once about their journey.
    expect(
      await rows(sql`select (select count(*)::int from journeys where tenant_id = ${tenant}) as journeys,
        (select count(*)::int from users where tenant_id = ${tenant}) as users,
        (select count(*)::int from outbox_messages where tenant_id = ${tenant}
          and subject not like 'You are a sponsor in%') as messages,
        (select count(*)::int from responses where tenant_id = ${tenant}) as responses,
        (select first_name from users where email = 'lena@testing.example') as lena,
        (select count(*)::int from audit_events where tenant_id = ${tenant}
          and action = 'testing.started_again') as said`),
    ).toEqual([{ journeys: 2, users: 10, messages: 0, responses: 0, lena: 'Lena', said: 1 }])
    expect(erased).toEqual(['sub-new'])
    expect(await elsewhere()).toEqual(before)
    const handsets: Handset[] = (await api('GET', '/testing/handsets')).data
    expect(handsets.filter(({ texts, name }) => texts.data.length > 0 || !name.startsWith('Toni'))).toEqual(
      [],
    )
  }, 120_000)

  it('leads to the same answers when the first week is played again', async () => {
    await play('most', 1)
    expect(await firstAnswers()).toEqual(played)
    expect(failures).toEqual([])
  }, 200_000)
})
