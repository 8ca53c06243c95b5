import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { importUsers } from '#app/jobs/people/import-users.server.ts'
import type { Workers } from '#app/jobs/workers.server.ts'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'

let world: JourneysWorld
let workers: Workers

beforeAll(async () => {
  world = await createJourneysWorld()
  workers = await world.workers()
})
afterAll(async () => {
  await workers?.stop()
  await world?.database.drop()
})

type Who = 'adam' | 'nora' | 'uri' | 'greta'
const HEAD = 'email,first_name,last_name,mobile_phone,job_title,timezone,role,sub_tenant'

async function upload(
  content: string | Uint8Array,
  more: Record<string, string> = {},
  who: Who = 'adam',
  { name = 'people.csv', headers = {} }: { name?: string; headers?: Record<string, string> } = {},
) {
  const principal = world.people[who]
  const body = new FormData()
  body.set('file', new File([content as BlobPart], name))
  for (const [name, value] of Object.entries(more)) body.set(name, value)
  const request = new Request('http://api.test/api/v1/users/import', {
    method: 'POST',
    headers: { authorization: `Bearer ${who}`, 'x-tenant-id': principal.tenant_id, ...headers },
    body,
  })
  const response = await world.api.fetch(request, { caller: { token: who, principal } })
  return { status: response.status, json: await response.json() }
}

async function importAll(content: string | Uint8Array, more: Record<string, string> = {}, who: Who = 'adam') {
  const { status, json } = await upload(content, more, who)
  expect(status).toBe(202)
  await workers.drain()
  const result = (await world.call(who, 'GET', `/users/imports/${json.id}/result`)).text
  return { ...(await world.call(who, 'GET', `/users/imports/${json.id}`)).json, result }
}

const find = async (email: string) => (await world.call('adam', 'GET', `/users?q=${email}`)).json.data[0]

describe('An import of people', () => {
  it.each([
    ['nul\0.csv', 'nul_.csv'],
    [`${'😀'.repeat(201)}.csv`, `${'😀'.repeat(196)}.csv`],
  ])('accepts a file with an unusual name: %j', async (name, kept) => {
    const { status, json } = await upload(
      'email,first_name\nname@import.example,Name',
      { dry_run: 'true' },
      'adam',
      { name },
    )
    expect([status, json.file_name]).toEqual([202, kept])
    await workers.drain()
  })

  it.each([
    ['sub_tenant', 59],
    ['role', 59],
    ['email', 253],
  ])('reports a %s that is too long, without cutting a character in half', async (column, before) => {
    const cell = `${'x'.repeat(before)}😀`
    const row = { email: 'long@import.example', role: '', sub_tenant: '', [column]: cell }
    const file = `email,first_name,role,sub_tenant\n${row.email},Long,${row.role},${row.sub_tenant}`
    const told = await importAll(file)
    expect(told).toMatchObject({ status: 'finished', failed: 1 })
    expect(JSON.stringify(told).includes('\uFFFD')).toBe(false)
  })

  it('changes nothing in a dry run, and then does what the dry run said', async () => {
    const file = [
      HEAD,
      'Ida@Import.example,Ida,Ito,+43 664 1234567,Driver,asia/calcutta,author|user,Acme North',
      'zoe@import.example,Zoe,,,,,,',
      `${world.people.uri.email},Uri,,,,,,`,
      'ida@import.example,Again,,,,,,',
      'nobody,,,123,,Mars,boss,',
      'kim@import.example,Kim,,,,,user,Acme West',
      'too@import.example,Too,Many,,,,,,,,x',
      ',,,,,,,',
    ].join('\r\n')
    const rehearsal = await importAll(file, { dry_run: 'true' })
    const counts = { rows_total: 7, rows_processed: 7, created: 2, skipped: 2, failed: 3 }
    expect(rehearsal).toMatchObject({ status: 'finished', dry_run: true, ...counts })
    expect(await find('zoe@import.example')).toBeUndefined()
    expect(
      rehearsal.errors.map(({ row, field }: { row: number; field: string }) => `${row} ${field}`),
    ).toEqual([
      '4 email',
      '5 email',
      '6 email',
      '6 first_name',
      '6 mobile_phone',
      '6 timezone',
      '6 role',
      '7 sub_tenant',
      '8 row',
    ])
    expect(rehearsal.result).toContain('2,ida@import.example,would be created,,\r\n')

    expect(await importAll(file)).toMatchObject({ dry_run: false, ...counts })
    expect(await find('ida@import.example')).toMatchObject({
      mobile_phone: '+436641234567',
      timezone: 'Asia/Kolkata',
      activation_status: 'invited',
      user_general_roles: [
        { role: 'author', sub_tenant_id: world.north },
        { role: 'user', sub_tenant_id: world.north },
      ],
    })
    expect((await find('zoe@import.example')).user_general_roles).toMatchObject([
      { role: 'user', sub_tenant_id: null },
    ])
    expect(world.invited).toContain('ida@import.example')
    expect(await importAll(file)).toMatchObject({ created: 0, skipped: 4, failed: 3 })
    const { json } = await world.call('adam', 'GET', '/notifications')
    const said = json.data.map((one: { content: { title: string } }) => one.content)
    expect(said.map(({ title }: { title: string }) => title)).toContain('Import of people.csv finished')
    expect(said).toContainEqual(expect.objectContaining({ path: `/users/import/${rehearsal.id}` }))
  })

  it('accepts an .xlsx workbook, and reports each mistake with its row and column', async () => {
    const stored = (name: string) => readFile(new URL(`../../support/workbooks/${name}`, import.meta.url))
    const outcome = await importAll(await stored('several-sheets.xlsx'))
    expect(outcome).toMatchObject({ status: 'finished', created: 3, skipped: 0, failed: 2 })
    expect(outcome.errors).toEqual([
      { row: 5, field: 'mobile_phone', error: expect.stringContaining('with its +') },
      { row: 7, field: 'email', error: expect.stringContaining('E-mail: this formula has no result.') },
    ])
    expect(await find('ana@workbook.example')).toMatchObject({
      ...{ first_name: 'Ana', last_name: 'García', mobile_phone: '+34600111222' },
      ...{ job_title: 'Team lead', timezone: 'Europe/Madrid' },
    })
    expect(await find('ben@workbook.example')).toMatchObject({
      last_name: 'van Berg',
      job_title: '2026-03-01',
    })
    expect(await find('hidden@workbook.example')).toBeUndefined()
    for (const name of ['protected.xlsx', 'older.xls', 'other.ods', 'binary.xlsb']) {
      const { status, json } = await upload(await stored(name))
      expect([name, status, json.errors?.[0] ?? json]).toEqual([name, 422, expect.anything()])
    }
  })

  it('pauses after some seconds for other jobs, and continues with the next row', async () => {
    const rows = Array.from({ length: 1100 }, (_, nth) => `long-${nth}@import.example,Long`)
    const { json } = await upload(['email,first_name', ...rows, rows[0]].join('\n'), {
      send_welcome: 'false',
    })
    const now = Date.now()
    let asked = 0
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + 3000 * asked++)
    const context = { database: world.database.worker } as unknown as Parameters<typeof importUsers>[0]
    await importUsers(context, { tenant_id: world.acme, import_id: json.id })
    clock.mockRestore()
    const read = async () => (await world.call('adam', 'GET', `/users/imports/${json.id}`)).json
    const begun = await read()
    expect(begun).toMatchObject({ status: 'running', rows_total: 1101, rows_processed: begun.created })
    expect(begun.created).toBeLessThan(1100)
    await workers.drain()
    expect(await read()).toMatchObject({
      ...{ status: 'finished', rows_processed: 1101, created: 1100, skipped: 1, failed: 0 },
      errors: [{ row: 1102, error: 'This address is in the file more than once.' }],
    })
    const told = await world.call('adam', 'GET', '/notifications')
    expect(told.json.data[0].content.message).toBe('1,100 were created, 1 skipped, 0 failed.')
  })

  it('counts each row once if two workers run it at the same time', async () => {
    const rows = Array.from({ length: 1100 }, (_, nth) => `both-${nth}@import.example,Both`)
    const { json } = await upload(['email,first_name', ...rows].join('\n'), { send_welcome: 'false' })
    const run = () =>
      importUsers({ database: world.database.worker } as unknown as Parameters<typeof importUsers>[0], {
        ...{ tenant_id: world.acme, import_id: json.id },
      })
    await Promise.all([run(), run()])
    await workers.drain()
    const told = (await world.call('adam', 'GET', `/users/imports/${json.id}`)).json
    expect(told).toMatchObject({ status: 'finished', rows_processed: 1100, created: 1100, skipped: 0 })
  })

  it('fails after its last attempt if an unexpected error occurs', async () => {
    const admin = await world.database.connectAdmin()
    await admin.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger fail before insert on users for each row when (new.email = 'broken@import.example')
        execute function fail()`)
    const { json } = await upload('email,first_name\nbroken@import.example,Broken', { send_welcome: 'false' })
    const read = async () => (await world.call('adam', 'GET', `/users/imports/${json.id}`)).json
    await workers.drain()
    expect((await read()).status).toBe('running')
    await admin.query(`update graphile_worker._private_jobs set attempts = max_attempts - 1, run_at = now()
      where key like '%import-users:${json.id}'`)
    await workers.drain()
    expect(await read()).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('import it again'),
    })
    await admin.query('drop function fail cascade')
    await admin.end()
  })

  it('is listed, newest first, with creator and result, in its sub-tenant and the whole company', async () => {
    const nora = await importAll('email,first_name\nlisted@north.example,L', { dry_run: 'true' }, 'nora')
    const adam = await importAll('email,first_name\nlisted@all.example,L\nnobody,L')
    const list = async (who: Who, query = '') =>
      (await world.call(who, 'GET', `/users/imports?per_page=2${query}`)).json
    const { data, pagination } = await list('adam')
    expect(data).toMatchObject([
      { id: adam.id, created_by: 'Adam Test', dry_run: false, created: 1, failed: 1, kept_until: null },
      { id: nora.id, created_by: 'Nora Test', dry_run: true, created: 1, can_be_imported: true },
    ])
    const [, { kept_until, finished_on }] = data
    expect(Date.parse(kept_until) - Date.parse(finished_on)).toBe(24 * 3_600_000)
    expect(pagination.total).toBeGreaterThan(2)
    const next = (await list('adam', '&page=2')).data.map(({ id }: { id: string }) => id)
    expect(next).not.toContain(adam.id)
    expect(next).not.toContain(nora.id)
    expect((await list('nora')).data.map(({ id }: { id: string }) => id)).not.toContain(adam.id)
    expect((await list('greta')).data).toEqual([])
    expect((await world.call('uri', 'GET', '/users/imports')).status).toBe(403)
  })

  it('hides from a sub-tenant who started it, if that person is outside the sub-tenant', async () => {
    const inNorth = { headers: { 'x-sub-tenant-id': world.north } }
    const { json } = await upload('email,first_name\nnorth@begun.example,North', {}, 'adam', inNorth)
    await workers.drain()
    const by = async (who: 'adam' | 'nora') =>
      (await world.call(who, 'GET', `/users/imports/${json.id}`)).json.created_by
    expect(await by('nora')).toBe('Someone outside this sub-tenant')
    expect(await by('adam')).toBe('Adam Test')
  })

  it('cannot be started from a dry run that finished 24 hours ago', async () => {
    const { id } = await importAll('email,first_name\nover@checked.example,O', { dry_run: 'true' })
    await inScope(world.database.app, systemActor(world.acme), ({ db }) =>
      sql`update user_imports set finished_on = now() - interval '24 hours' where id = ${id}`.execute(db),
    )
    const stored = (await world.call('adam', 'GET', `/users/imports/${id}`)).json
    expect([stored.can_be_imported, stored.kept_until]).toEqual([false, null])
    expect((await world.call('adam', 'POST', `/users/imports/${id}/import`)).status).toBe(409)
  })

  it('leaves an audit event for each person it added, and one for the import', async () => {
    const file = [
      'email,first_name,role,sub_tenant',
      'one@audited.example,One,admin,Acme North',
      'two@audited.example,Two,user,Acme North|Acme South',
      'uri@nowhere,Uri,,',
    ].join('\n')
    await importAll(file, { dry_run: 'true' })
    const { id } = await importAll(file)
    const lines = async (who: Who, query: string) =>
      (await world.call(who, 'GET', `/audit_events?per_page=100&${query}`)).json.data.filter(
        ({ changes }: { changes: { import?: string } }) => changes.import === id,
      )
    const created = await lines('adam', 'action=user.created')
    for (const [email, name, part] of [
      ['one@audited.example', 'One', world.north],
      ['two@audited.example', 'Two', null],
    ] as const)
      expect(created).toContainEqual(
        expect.objectContaining({
          actor: { id: world.people.adam.user_id, email: world.people.adam.email, name: 'Adam Test' },
          subject: expect.objectContaining({ type: 'user', id: String((await find(email)).id), name }),
          sub_tenant_id: part,
          changes: expect.objectContaining({ email, import: id }),
        }),
      )
    expect(created).toHaveLength(2)
    expect(await lines('nora', 'action=user.created')).toHaveLength(1)
    const { json } = await world.call('adam', 'GET', `/audit_events?subject=user_import:${id}`)
    expect(json.data.map(({ action }: { action: string }) => action)).toContain('users.imported')
  })

  it('skips an address in another company’s e-mail domain, and adds the others', async () => {
    await inScope(world.database.app, systemActor(world.globex), ({ db }) =>
      db.insertInto('email_domains').values({ tenant_id: world.globex, domain: 'kept.example' }).execute(),
    )
    const file = 'email,first_name\na@kept.example,A\nb@free.example,B'
    expect(await importAll(file)).toMatchObject({ status: 'finished', created: 1, skipped: 1 })
    expect(await find('b@free.example')).toMatchObject({ first_name: 'B' })
  })

  it('imports the file of a dry run once, and reports how it differs from existing people', async () => {
    const file = [
      HEAD,
      'kept@checked.example,Kept,,,,,,',
      `${world.people.uri.email},Uri,Other,,Driver,,,`,
      `${world.people.aya.email},Aya,Test,,,,,`,
      `${world.people.greta.email},Greta,Other,,,,,`,
    ].join('\n')
    const looked = await importAll(file, { dry_run: 'true', send_welcome: 'false' })
    expect(looked).toMatchObject({ can_be_imported: true, created: 1, skipped: 3, failed: 0 })
    const taken = 'Someone with this e-mail address already has an account.'
    expect(looked.outcomes).toEqual([
      { row: 2, email: 'kept@checked.example', result: 'would be created', field: '', error: '' },
      ...[
        [3, world.people.uri.email, ' They stay as they are; the file differs in Last name, Job title.'],
        [4, world.people.aya.email, ' Nothing in the file differs.'],
        [5, world.people.greta.email, ''],
      ].map(([row, email, more]) => ({
        ...{ row, email, result: 'skipped', field: 'email', error: `${taken}${more}` },
      })),
    ])
    const carryOut = `/users/imports/${looked.id}/import`
    for (const [who, status] of [
      ['greta', 404],
      ['nora', 404],
      ['uri', 403],
    ] as const)
      expect([who, (await world.call(who, 'POST', carryOut)).status]).toEqual([who, status])
    const presses = await Promise.all([1, 2].map(() => world.call('adam', 'POST', carryOut)))
    expect(presses.map(({ status }) => status)).toEqual([202, 202])
    expect(presses[0]?.json.id).toBe(presses[1]?.json.id)
    expect((await world.call('adam', 'POST', carryOut)).json.id).toBe(presses[0]?.json.id)
    await workers.drain()
    expect(await find('kept@checked.example')).toMatchObject({ first_name: 'Kept' })
    expect(world.invited).not.toContain('kept@checked.example')
    expect(await find(world.people.uri.email)).toMatchObject({ job_title: null })
    expect((await world.call('adam', 'GET', `/users/imports/${looked.id}`)).json.can_be_imported).toBe(false)
  })

  it('reports if existing people have other roles or another status', async () => {
    const columns = (heading: string, ...rows: string[]) =>
      importAll([`email,first_name,${heading}`, ...rows].join('\n'), { dry_run: 'true' })
    const { uri, aya } = world.people
    const differ = async (heading: string, ...rows: string[]) =>
      (await columns(heading, ...rows)).outcomes.map(({ error }: { error: string }) =>
        error.replace(/^.*account\. (They.*differs in )?/, ''),
      )
    expect(
      await differ('role,sub_tenant', `${uri.email},Uri,author,`, `${aya.email},Aya,author,Acme North`),
    ).toEqual(['Role.', 'Sub-tenant.'])
    expect(await differ('roles,status', `${uri.email},Uri,admin,deactivated`)).toEqual(['Roles, Status.'])
    expect(await differ('roles,status', `${uri.email},Uri,user,Active`, `${aya.email},Aya,,`)).toEqual([
      'Nothing in the file differs.',
      'Nothing in the file differs.',
    ])
  })

  it('keeps the file of a dry run for a day, and reveals nothing of people outside the sub-tenant', async () => {
    const file = `email,first_name,job_title\nday@checked.example,Day,\n${world.people.aya.email},Aya,Pilot`
    const looked = await importAll(file, { dry_run: 'true' }, 'nora')
    expect(looked.outcomes[1].error).toBe('Someone with this e-mail address already has an account.')
    await world.database.worker.transaction().execute(async (db) => {
      await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now() + interval '23 hours'`.execute(
        db,
      )
    })
    await workers.drain()
    const late = await world.call('nora', 'POST', `/users/imports/${looked.id}/import`)
    expect([late.status, late.json.detail]).toEqual([
      409,
      'This file is no longer kept. Please choose it again.',
    ])
  })

  it('notifies a super admin, in their own company, that it has finished, without its content', async () => {
    const { sofia } = world.people
    const body = new FormData()
    body.set('file', new File(['email,first_name\nvera@visit.example,Vera'], 'secret-plan.csv'))
    const request = new Request('http://api.test/api/v1/users/import', {
      method: 'POST',
      headers: {
        ...{ authorization: 'Bearer sofia', 'x-tenant-id': sofia.tenant_id },
        'x-impersonate-tenant-id': world.acme,
      },
      body,
    })
    const begun = await world.api.fetch(request, { caller: { token: 'sofia', principal: sofia } })
    expect(begun.status).toBe(202)
    await workers.drain()
    const added = (await world.call('adam', 'GET', '/audit_events?action=user.created')).json.data
    expect(added[0]).toMatchObject({ actor: { id: sofia.user_id }, on_behalf_of: world.acme })
    const { json } = await world.call('sofia', 'GET', '/notifications')
    expect(json.data).toMatchObject([{ notification_type: 'info', has_read: false }])
    expect(json.data[0].content).toEqual({
      title: 'The import in Acme has finished',
      message: 'Go back to that company to see the result.',
    })
    expect((await world.call('adam', 'GET', '/notifications')).text).not.toContain('secret-plan')
  })

  it('starts once per Idempotency-Key, which cannot be reused for another file', async () => {
    const once = (name: string) =>
      upload(`email,first_name\n${name}@once.example,${name}`, {}, 'adam', {
        headers: { 'idempotency-key': 'one-file' },
      })
    const [first, again, other] = [await once('eve'), await once('eve'), await once('max')]
    expect([first.status, again.status, again.json.id]).toEqual([202, 202, first.json.id])
    expect(other.status).toBe(422)
    await workers.drain()
  })

  it('restores people from an exported file, without additional rights', async () => {
    const add = (name: string, user_general_roles: object[]) =>
      world.must('adam', 'POST', '/users', {
        ...{
          first_name: name,
          last_name: 'Round',
          email: `${name}@round.example`,
          job_title: '=x',
          user_general_roles,
        },
      })
    const [north, south] = [{ sub_tenant_id: world.north }, { sub_tenant_id: world.south }]
    await add('mixed', [
      { role: 'admin', ...north },
      { role: 'user', ...south },
    ])
    await add('wide', [{ role: 'user' }, { role: 'admin', ...south }])
    const out = await add('out', [{ role: 'admin' }])
    await world.must('adam', 'PATCH', `/users/${out.id}/activation`, { activation_status: 'disabled' })
    const bare = await add('bare', [{ role: 'admin', ...north }])
    await inScope(world.database.app, systemActor(world.acme), ({ db }) =>
      db.deleteFrom('user_general_roles').where('user_id', '=', bare.id).execute(),
    )
    const gone = await add('gone', [{ role: 'admin' }])
    await world.must('adam', 'POST', `/users/${gone.id}/erasure`, {})
    const { text } = await world.call('adam', 'GET', '/users/export?q=round')
    expect(text).toMatch(/^out@round\.example,.*,deactivated,/m)
    const again = await importAll(text.replaceAll('@round.example', '@again.example'))
    expect(again).toMatchObject({ created: 4, skipped: 0, failed: 0 })
    for (const name of ['mixed', 'wide', 'out', 'bare']) {
      const { id, email, created_on, lock_version, rights, ...before } = await find(`${name}@round.example`)
      const { user_general_roles, ...rest } = before
      expect(await find(`${name}@again.example`)).toMatchObject(rest)
      const held = (await find(`${name}@again.example`)).user_general_roles
      expect(held).toHaveLength(user_general_roles.length)
      expect(held).toEqual(expect.arrayContaining(user_general_roles))
    }
    expect(world.invited).not.toContain('out@again.example')
    expect((await world.call('adam', 'GET', '/users/export')).text).not.toContain('erased.invalid')
  })

  it.each(['disabled', 'Deactivated '])(
    'adds a person as deactivated if the file says “%s”',
    async (word) => {
      const email = `out@${word.trim().toLowerCase()}.example`
      await importAll(`email,first_name,Status\n${email},Out,${word}`)
      expect(await find(email)).toMatchObject({ activation_status: 'disabled' })
      expect(world.invited).not.toContain(email)
    },
  )

  it('rejects rows with ambiguous or unknown roles and sub-tenants', async () => {
    const rows = [
      `${HEAD},roles`,
      'one@guess.example,One,,,,,admin|user,Acme North|Acme South,',
      'two@guess.example,Two,,,,,,,admin@Acme West',
      'three@guess.example,Three,,,,,admin,,user',
    ].join('\n')
    const { created, failed, errors } = await importAll(rows)
    expect([created, failed, errors.map(({ field }: { field: string }) => field)]).toEqual([
      0,
      3,
      ['sub_tenant', 'roles', 'roles'],
    ])
  })

  it('reads the encodings and separators that spreadsheets write', async () => {
    const text = (name: string) => `E-mail;first name\n${name}@encoded.example;Zoë`.replace('E-mail', 'email')
    const utf16 = (name: string) => Buffer.from(`\uFEFF${text(name)}`, 'utf16le')
    const files: Record<string, Uint8Array> = {
      plain: Buffer.from(text('plain')),
      marked: Buffer.from(`\uFEFF${text('marked')}`),
      little: utf16('little'),
      big: utf16('big').swap16(),
      unmarked: Buffer.from(text('unmarked'), 'utf16le'),
      latin: Buffer.from(text('latin'), 'latin1'),
      tabs: Buffer.from(text('tabs').replaceAll(';', '\t')),
    }
    for (const [name, bytes] of Object.entries(files)) {
      expect(await importAll(bytes), name).toMatchObject({ created: 1, failed: 0 })
      expect((await find(`${name}@encoded.example`)).first_name, name).toBe('Zoë')
    }
  })

  it('reads a file with mixed encodings, and one with unnamed columns', async () => {
    const files: Record<string, Uint8Array> = {
      mixed: Buffer.concat([
        Buffer.from('email,first_name\nmixed@broken.example,Zo'),
        Buffer.from([0xeb, 0x0a]),
      ]),
      trailing: Buffer.from('email,first_name,,,\ntrailing@broken.example,Zoë,,,\n'),
    }
    for (const [name, bytes] of Object.entries(files)) {
      expect(await importAll(bytes), name).toMatchObject({ created: 1, failed: 0 })
      expect((await find(`${name}@broken.example`)).first_name, name).toBe('Zoë')
    }
  })

  it.each([
    ['an empty file', ''],
    ['an unknown column', 'email,first_name,shoe size\n'],
    ['a repeated heading', 'email,first_name,Email\n'],
    ['a file without an e-mail column', 'first_name\nMax'],
    ['two hundred columns', `email,first_name,${Array.from({ length: 200 }, (_, i) => `c${i}`).join(',')}\n`],
    ['half a character', Buffer.from('\uFEFFemail,first_name\na@b.example,A\n', 'utf16le').subarray(0, -1)],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ])('refuses %s at the upload', async (_what, content) => {
    const { status, json } = await upload(content)
    expect([status, Object.keys(json.detail)]).toEqual([422, ['file']])
  })

  it('says what is wrong with a file', async () => {
    const wide = Array.from({ length: 200 }, (_, at) => `c${at}`).join(',')
    for (const [file, why] of [
      ['', 'The file is empty.'],
      ['email,first_name,Email\n', 'The heading names “E-mail” twice.'],
      ['email;first_name;e mail\n', 'The heading names “E-mail” twice.'],
      ['email;first_name;Shoe size\n', 'There is no column “Shoe size”.'],
      ['first_name\nMax', 'The heading has no column “E-mail”.'],
      [`email,first_name,${wide}\n`, 'There is no column “c0” (and 199 more that are not known).'],
    ] as const)
      expect((await upload(file)).json.detail.file[0]).toContain(why)
  })

  it('says what is wrong with a row: a taken address, a forbidden role or sub-tenant, too many cells', async () => {
    const wide = Array.from({ length: 200 }, () => 'x').join(',')
    await inScope(world.database.app, systemActor(world.globex), ({ db }) =>
      db.insertInto('sub_tenants').values({ tenant_id: world.globex, name: 'Globex East' }).execute(),
    )
    const taken = 'Someone with this e-mail address already has an account.'
    const { errors } = await importAll(
      [
        'email,first_name,role,sub_tenant',
        `${world.people.uri.email.toUpperCase()},Uri,,`,
        `${world.people.greta.email},Greta,,`,
        'boss@rows.example,Boss,super_admin,',
        'east@rows.example,East,user,Globex East',
        `wide@rows.example,${wide}`,
        'nul@rows.example,"N\u0007",,',
      ].join('\n'),
    )
    expect(errors).toEqual([
      { row: 2, field: 'email', error: `${taken} Nothing in the file differs.` },
      { row: 3, field: 'email', error: taken },
      { row: 4, field: 'role', error: 'Role: “super_admin” is not one of admin, author, user' },
      { row: 5, field: 'sub_tenant', error: 'Sub-tenant: there is no sub-tenant called “Globex East”' },
      { row: 6, field: 'row', error: 'This row has 201 columns, the heading 4' },
      { row: 7, field: 'first_name', error: 'First name: please remove the control characters' },
    ])
    expect(await find('rows.example')).toBeUndefined()
  })

  it('says for each wrong cell its column and how to write it, in a separate sentence', async () => {
    const long = '6'.repeat(50)
    const { errors, result } = await importAll(
      [
        'E-mail,FIRST NAME,Last name,Mobile phone,Job title,Time zone,Role,Sub-tenant',
        'p@cells.example,P,,0600111222,,Madrid,boss|boss|chief,',
        `,,,${long},${'x'.repeat(121)},,,`,
        'q@cells.example,Q,,call me,,,,',
        'nobody,N,,  ,,  ,,',
      ].join('\n'),
    )
    const phone = 'Mobile phone: write it like +34600111222'
    expect(errors.map(({ row, field, error }: { [name: string]: string }) => [row, field, error])).toEqual([
      [2, 'mobile_phone', phone],
      [2, 'timezone', 'Time zone: write it like Europe/Madrid'],
      [2, 'role', 'Role: “boss” is not one of admin, author, user'],
      [2, 'role', 'Role: “chief” is not one of admin, author, user'],
      [3, 'email', 'E-mail: this field is required'],
      [3, 'first_name', 'First name: this field is required'],
      [3, 'mobile_phone', phone],
      [3, 'job_title', 'Job title: please use at most 120 characters'],
      [4, 'mobile_phone', phone],
      [5, 'email', 'E-mail: write it like ana@example.com'],
    ])
    expect(result).toContain(`2,p@cells.example,failed,mobile_phone,${phone}\r\n`)
  })

  it('says what a spreadsheet made of a phone number', async () => {
    const numbers = ['34600111222', '3.46E+10', '"3,46E+10"', '+34600111222', '0600111222']
    const lines = numbers.map((number, at) => `n${at}@numbers.example,N,${number}`)
    const { errors } = await importAll(['email,first_name,mobile_phone', ...lines].join('\n'), {
      dry_run: 'true',
    })
    const plainly = 'Mobile phone: write it like +34600111222'
    const explained = `${plainly}, with its +: spreadsheets drop it, unless the cell is formatted as text`
    expect(errors.map(({ row, error }: { [name: string]: string }) => [row, error])).toEqual([
      [2, explained],
      [3, explained],
      [4, explained],
      [6, plainly],
    ])
  })

  it('handles 50,000 rows', async () => {
    const many = Array.from({ length: 50_000 }, (_, i) => `p${i}@many.example,P`).join('\n')
    const done = await importAll(`email,first_name\n${many}`, { dry_run: 'true' })
    expect(done).toMatchObject({ status: 'finished', rows_processed: 50_000, created: 50_000, failed: 0 })
    expect(done.result.split('\r\n')).toHaveLength(50_002)
  }, 120_000)

  it('fails with a reason if a file has no rows, an open quote or more than 50,000 rows', async () => {
    const empty = { status: 'failed', created: 0, problem: 'Line 1: There is no row below the heading.' }
    expect(await importAll(HEAD)).toMatchObject(empty)
    const broken = await importAll(`${HEAD}\nmax@broken.example,Max\n"open,row`)
    const quote = 'Line 3: A quote (") opens in this row and is never closed.'
    expect(broken).toMatchObject({ status: 'failed', created: 0, problem: quote })
    const many = Array.from({ length: 50_001 }, (_, i) => `p${i}@many.example,P`).join('\n')
    const long = await importAll(`email,first_name\n${many}`)
    expect(long.problem).toBe('Line 50002: At most 50,000 rows can be imported.')
    expect(await find('many.example')).toBeUndefined()
  })

  it('escapes formulas in its result, and reads them back from an exported list', async () => {
    const odd = await importAll('email,first_name,job_title\nodd@formula.example,=1+1,@x\n=cmd|x,+1,')
    expect(odd.result).toContain("'=cmd|x")
    const exported = await world.call('adam', 'GET', '/users/export?q=formula.example')
    expect(exported.text).toContain("'=1+1")
    const again = await importAll(exported.bytes.toString('utf8').replace('odd@', 'even@'))
    expect(again).toMatchObject({ created: 1, failed: 0 })
    expect((await find('even@formula.example')).first_name).toBe('=1+1')
  })

  it('adds people only to the sub-tenant of the administrator who imports', async () => {
    const file =
      'email,first_name,role,sub_tenant\nn@north.example,N,admin,\ns@south.example,S,user,Acme South'
    const told = await importAll(file, {}, 'nora')
    expect(told).toMatchObject({ created: 1, failed: 1 })
    const error = 'Sub-tenant: people are imported only into the sub-tenant you are in, not into “Acme South”'
    expect(told.errors).toMatchObject([{ row: 3, error }])
    expect((await find('n@north.example')).user_general_roles).toMatchObject([
      { role: 'admin', sub_tenant_id: world.north },
    ])
  })

  it('fails if its sub-tenant was deleted meanwhile', async () => {
    const { json: part } = await world.call('adam', 'POST', '/tenants/me/sub_tenants', {
      name: 'Short-lived',
    })
    const inside = { headers: { 'x-sub-tenant-id': part.id } }
    const { json } = await upload('email,first_name\nlate@gone.example,Late', {}, 'adam', inside)
    await world.call('adam', 'DELETE', `/tenants/me/sub_tenants/${part.id}`)
    await workers.drain()
    expect((await world.call('adam', 'GET', `/users/imports/${json.id}`)).json).toMatchObject({
      ...{ status: 'failed', created: 0 },
      problem: expect.stringContaining('The sub-tenant was deleted'),
    })
    expect(await find('late@gone.example')).toBeUndefined()
  })

  it('is for administrators only, and hidden from other companies and sub-tenants', async () => {
    expect((await upload(`${HEAD}\n`, {}, 'uri')).status).toBe(403)
    const { json } = await upload('email,first_name\nmine@own.example,Mine')
    for (const path of [`/users/imports/${json.id}`, `/users/imports/${json.id}/result`]) {
      expect((await world.call('greta', 'GET', path)).status).toBe(404)
      expect((await world.call('nora', 'GET', path)).status).toBe(404)
      expect((await world.call('uri', 'GET', path)).status).toBe(403)
    }
  })

  it('continues after the last processed row when it is started again', async () => {
    const { json } = await upload('email,first_name\none@resumed.example,One\ntwo@resumed.example,Two')
    await world.database.worker.transaction().execute(async (db) => {
      await sql`select set_config('app.tenant_id', ${world.acme}, true)`.execute(db)
      await sql`update user_imports set rows_processed = 1, created = 1 where id = ${json.id}`.execute(db)
    })
    await workers.drain()
    const done = (await world.call('adam', 'GET', `/users/imports/${json.id}`)).json
    expect(done).toMatchObject({ rows_total: 2, rows_processed: 2, created: 2, status: 'finished' })
    expect(await find('one@resumed.example')).toBeUndefined()
  })
})
