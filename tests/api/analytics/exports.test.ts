/** Exported files: same figures as on screen, only for the person who requested them, and without erased people. */
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openExportFile } from '#app/domain/exports/export-file.server.ts'
import { remakeExports } from '#app/domain/exports/making.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { readWorkbook } from '#app/domain/workbook/workbook.server.ts'
import { makeExport } from '#app/jobs/make-export.server.ts'
import type { Workers } from '#app/jobs/workers.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
  ORIGIN,
} from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

let world: JourneysWorld
let workers: Workers
let journey: Awaited<ReturnType<JourneysWorld['draft']>>
const RIGHT_TO_LEFT = 'عَلِيّ'

beforeAll(async () => {
  world = await createJourneysWorld()
  workers = await world.workers(createTestCarrier().carriers)
  journey = await world.draft(['uri', 'aya', 'nora'], { name: '=HYPERLINK("http://evil.example")' })
  await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, { send_now: true })
  await workers.drain()
  await world.must('uri', 'POST', `/lifts/${journey.lift}/responses`, {
    responses: [{ prompt_id: journey.prompt, value: 'a' }],
  })
  await inAcme(({ db }) =>
    db
      .updateTable('users')
      .set({ first_name: RIGHT_TO_LEFT, last_name: '=1+1;@SUM(A1) _x0041_' })
      .where('id', '=', world.people.aya.user_id)
      .execute(),
  )
})
afterAll(async () => {
  await workers?.stop()
  await world?.drop()
})

const inAcme = inAcmeOf(() => world)
type Who = keyof JourneysWorld['people']
const ask = (body: object, who: Who = 'adam', sub: string | null = null) =>
  world.call(who, 'POST', '/analytics/exports', body, { sub })

async function made(body: object, who: Who = 'adam') {
  const { id } = (await ask(body, who)).json
  await workers.drain()
  const about = await world.must(who, 'GET', `/exports/${id}`)
  const file = await world.call(who, 'GET', `/exports/${id}/file`)
  return { about, file }
}
const csv = (text: string): Record<string, string>[] => parse(text, { bom: true, columns: true })

describe('An export', () => {
  it('is made by a job, reports its progress, and has the same figures as the screen', async () => {
    const filters = { journey: journey.id, as_of: new Date().toISOString() }
    const begun = await ask({ table: 'overview', format: 'csv', ...filters })
    expect([begun.status, begun.json.status, begun.json.rows_done]).toEqual([202, 'waiting', 0])
    expect((await world.call('adam', 'GET', `/exports/${begun.json.id}/file`)).status).toBe(404)
    await workers.drain()
    const { data, record_store } = await world.must('adam', 'GET', '/exports')
    expect(data[0]).toMatchObject({ id: begun.json.id, status: 'finished', kind: 'overview', problem: null })
    expect(data[0].rows_done).toBe(data[0].rows_total)
    expect(record_store).toBeNull()
    const file = await world.call('adam', 'GET', `/exports/${begun.json.id}/file`)
    expect(file.headers.get('content-disposition')).toMatch(/filename="overview-\d{4}-\d\d-\d\d\.csv"/)
    expect(Number(file.headers.get('content-length'))).toBe(file.bytes.length)
    const shown = await world.must('adam', 'GET', `/analytics/overview?journey=${journey.id}`)
    const answered = csv(file.text).find((row) => row.Figure === 'Answered')
    expect(answered).toEqual({
      ...{ Figure: 'Answered', Counted: String(shown.response.n), 'Out of': String(shown.response.d) },
      Share: '0.3333',
    })
    const told = await world.must('adam', 'GET', '/notifications?limit=1')
    expect(told.data[0].content).toMatchObject({ title: 'Figures: ready', path: '/analytics/exports' })
  })

  it('lists who has not answered, in CSV and Excel, with no text that a spreadsheet calculates', async () => {
    const asked = { table: 'explain', figure: 'response', outcome: 'no', journey: journey.id }
    const { file } = await made({ ...asked, format: 'csv' })
    const rows = csv(file.text)
    expect(rows.map((row) => row.Learner).sort()).toEqual([
      'Nora Test',
      `${RIGHT_TO_LEFT} =1+1;'@SUM(A1) _x0041_`,
    ])
    expect(rows.every((row) => row.Journey?.startsWith("'="))).toBe(true)
    expect(file.text).not.toMatch(/[;,"]\s*[=@]/)
    const { file: workbook } = await made({ ...asked, format: 'xlsx' })
    const read = (await readWorkbook(new Uint8Array(workbook.bytes), { rows: 100, characters: 100_000 })) as {
      text: string
    }
    const cells = parse(read.text, { columns: true, relax_column_count: true }) as Record<string, string>[]
    expect(cells.map((row) => row.Learner).sort()).toEqual([
      'Nora Test',
      `${RIGHT_TO_LEFT} =1+1;@SUM(A1) _x0041_`,
    ])
    expect(workbook.text).not.toContain('<f>')
    expect(cells[0]?.['Due (UTC)']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
  })

  it.each([
    ['trend', {}],
    ['timing', {}],
    ['failures', {}],
    ['grid', {}],
    ['by_user', { q: 'uri' }],
    ['by_lift', { order_by: 'answered', order: 'desc' }],
    ['learner', { user: 'uri' }],
    ['questions', { lift: 'lift' }],
    ['answers', { lift: 'lift' }],
    ['assessments', {}],
  ])('is made of the %s table, as CSV and as Excel', async (table, more: Record<string, string>) => {
    const ids = {
      ...(more.user ? { user: world.people.uri.user_id } : {}),
      ...(more.lift ? { lift: journey.lift } : {}),
    }
    for (const format of ['csv', 'xlsx']) {
      const { about, file } = await made({ ...more, ...ids, table, format, journey: journey.id })
      expect([about.status, about.problem, file.status]).toEqual(['finished', null, 200])
      expect(file.bytes.length).toBe(about.size)
    }
  })

  it('is made once, by one job, when it is requested twice before it is finished', async () => {
    const body = { table: 'by_lift', format: 'xlsx', journey: journey.id, from: '2020-01-01' }
    const [first, second] = await Promise.all([ask(body), ask(body)])
    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.json.id).toBe(first.json.id)
    const admin = await world.database.connectAdmin()
    const jobs = await admin.query(
      `select from graphile_worker._private_jobs where key like '%make-export:%'`,
    )
    await admin.end()
    expect(jobs.rows).toHaveLength(1)
    expect((await ask({ ...body, format: 'csv' })).json.id).not.toBe(first.json.id)
    expect((await ask(body, 'aya')).status).toBe(404)
    await workers.drain()
    expect((await ask(body)).json.id).not.toBe(first.json.id)
    await workers.drain()
  })

  it('is available only to the person who requested it, and to nobody after it expires', async () => {
    const { about } = await made({ table: 'by_lift', format: 'csv' })
    for (const [who, path] of [
      ['aya', ''],
      ['aya', '/file'],
      ['nora', ''],
      ['greta', '/file'],
    ] as const)
      expect((await world.call(who, 'GET', `/exports/${about.id}${path}`)).status).toBe(404)
    expect((await world.call('uri', 'GET', `/exports/${about.id}`)).status).toBe(403)
    const { data } = await world.must('aya', 'GET', '/exports')
    expect(data).toEqual([])
    await inAcme(({ db }) =>
      db
        .updateTable('exports')
        .set({ expires_on: new Date(0) })
        .where('id', '=', about.id)
        .execute(),
    )
    expect((await world.call('adam', 'GET', `/exports/${about.id}/file`)).status).toBe(404)
    await inAcme(({ db }) =>
      sql`select enqueue_job('forget-export', ${JSON.stringify({ export_id: about.id })}::jsonb)`.execute(db),
    )
    await workers.drain()
    const left = await inAcme(({ db }) =>
      db.selectFrom('export_parts').selectAll().where('export_id', '=', about.id).execute(),
    )
    expect(left).toEqual([])
  })

  it('is hidden from its requester while they have fewer rights than when they requested it', async () => {
    const body = { table: 'by_lift', format: 'csv' }
    const asAdmin = (await ask(body)).json
    const { adam } = world.people
    const author = adam.roles.map((held) => ({ ...held, role: 'author' as const }))
    const held = adam.roles
    Object.assign(adam, { roles: author })
    const asAuthor = (await ask(body)).json
    await workers.drain()
    expect(asAuthor.id).not.toBe(asAdmin.id)
    const { data } = await world.must('adam', 'GET', '/exports')
    expect(data.map(({ id }: { id: string }) => id)).toEqual([asAuthor.id])
    expect((await world.call('adam', 'GET', `/exports/${asAdmin.id}/file`)).status).toBe(404)
    Object.assign(adam, { roles: [...held, ...author] })
    for (const { id } of [asAdmin, asAuthor])
      expect((await world.call('adam', 'GET', `/exports/${id}/file`)).status).toBe(200)
    Object.assign(adam, { roles: held })
  })

  it('can no longer be downloaded by an author whose journey was given to another author', async () => {
    const { adam, aya } = world.people
    const give = (author_id: number) =>
      world.must('adam', 'PATCH', `/lljs/${journey.id}/author`, { author_id })
    await give(aya.user_id)
    // One after the other: draining the queue does not wait for a job that another drain runs.
    const about = [
      await made({ table: 'by_user', format: 'csv', journey: journey.id }, 'aya'),
      await made({ table: 'by_lift', format: 'csv' }, 'aya'),
    ]
    const reached = () =>
      Promise.all(
        about.map(
          async ({ about: { id } }) => (await world.call('aya', 'GET', `/exports/${id}/file`)).status,
        ),
      )
    expect(await reached()).toEqual([200, 200])
    await give(adam.user_id)
    expect(await reached()).toEqual([404, 404])
  })

  it('is refused for an unknown table, format or order, and for a journey or learner it cannot find', async () => {
    const refused = async (body: object) => {
      const { status, json } = await ask(body)
      return [status, json.detail]
    }
    expect(await refused({ table: 'grid', format: 'csv' })).toEqual([
      422,
      { journey: ['This table is of one journey'] },
    ])
    expect((await refused({ table: 'everything', format: 'csv' }))[0]).toBe(422)
    expect((await refused({ table: 'by_lift', format: 'pdf' }))[0]).toBe(422)
    expect(await refused({ table: 'by_lift', format: 'csv', order_by: 'due' })).toEqual([
      422,
      { order_by: ['This table has no such order'] },
    ])
    expect((await refused({ table: 'by_lift', format: 'csv', journey: 999_999 }))[0]).toBe(404)
    // The call accepts a person who is not a learner of the journey; only the job finds out.
    const { about } = await made({
      ...{ table: 'learner', format: 'csv', journey: journey.id, user: world.people.adam.user_id },
    })
    expect(about).toMatchObject({
      status: 'failed',
      problem: 'What it is about no longer exists, or you do not have access to it.',
    })
  })

  it('is withheld when a person in it is erased, and made again without them', async () => {
    const { about, file } = await made({ table: 'by_user', format: 'csv', journey: journey.id })
    expect(file.text).toContain('Nora Test')
    await world.must('adam', 'POST', `/users/${world.people.nora.user_id}/erasure`, {})
    expect((await world.must('adam', 'GET', `/exports/${about.id}`)).status).toBe('waiting')
    expect((await world.call('adam', 'GET', `/exports/${about.id}/file`)).status).toBe(404)
    await workers.drain()
    const again = await world.call('adam', 'GET', `/exports/${about.id}/file`)
    expect(csv(again.text)).toHaveLength(3)
    expect(again.text).not.toContain('Nora')
  })

  it('starts over after a crash left it half made', async () => {
    const { id } = (await ask({ table: 'by_lift', format: 'csv', journey: journey.id })).json
    await inAcme(async ({ db }) => {
      await db
        .updateTable('exports')
        .set({ status: 'running', attempt: '00000000-0000-4000-8000-000000000000', rows_done: 7, size: 5 })
        .where('id', '=', id)
        .execute()
      const part = { tenant_id: world.acme, export_id: id, nth: 0, bytes: Buffer.from('half.') }
      await db.insertInto('export_parts').values(part).execute()
    })
    await makeExport(
      { database: world.database.worker, origin: ORIGIN },
      { tenant_id: world.acme, export_id: id },
    )
    const file = await world.call('adam', 'GET', `/exports/${id}/file`)
    expect(csv(file.text)).toHaveLength(1)
    expect(file.text).not.toContain('half.')
  })

  it('breaks off a download, rather than ending it early, when it is made again meanwhile', async () => {
    const { about } = await made({ table: 'overview', format: 'csv', journey: journey.id })
    const more = Buffer.alloc(1000)
    await inAcme(({ db, actor: { tenant_id } }) =>
      db
        .insertInto('export_parts')
        .values([1, 2, 3].map((nth) => ({ tenant_id, export_id: about.id, nth, bytes: more })))
        .execute(),
    )
    await inAcme(({ db }) =>
      db
        .updateTable('exports')
        .set({ size: about.size + 3 * more.length })
        .where('id', '=', about.id)
        .execute(),
    )
    const adam = {
      ...systemActor(world.acme),
      user_id: world.people.adam.user_id,
      roles: ['admin' as const],
    }
    const open = () =>
      inScope(world.database.app, adam, (scope) => openExportFile(scope, world.database.app, about.id))
    expect((await (await open()).bytes()).length).toBe(about.size + 3 * more.length)
    const cut = await open()
    await inAcme((scope) => remakeExports(scope, 0))
    await workers.drain()
    await expect(cut.bytes()).rejects.toThrow('made again')
  })

  it('fails after its last attempt, tells the person who requested it, and can be requested again', async () => {
    const admin = await world.database.connectAdmin()
    await admin.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger fail before insert on export_parts for each row execute function fail()`)
    const wanted = { table: 'by_lift', format: 'xlsx', journey: journey.id }
    const { id } = (await ask(wanted)).json
    await workers.drain()
    expect((await world.must('adam', 'GET', `/exports/${id}`)).status).toBe('running')
    await admin.query(`update graphile_worker._private_jobs set attempts = max_attempts - 1, run_at = now()
      where key like '%make-export:${id}'`)
    await workers.drain()
    const failed = await world.must('adam', 'GET', `/exports/${id}`)
    expect([failed.status, failed.problem]).toEqual(['failed', expect.stringContaining('try again later')])
    const { data } = await world.must('adam', 'GET', '/notifications?limit=1')
    expect(data[0].content.title).toBe('By lift: failed')
    await admin.query('drop function fail cascade')
    await admin.end()
    expect((await made(wanted)).about.status).toBe('finished')
  })
})
