/** Who can fetch the files that authors upload, how much space they can take, and when they are deleted. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recognize } from '#app/domain/files/signatures.ts'
import { TENANT_QUOTA_BYTES } from '#app/domain/files/upload.ts'
import { removeUnusedFiles } from '#app/jobs/remove-unused-files.server.ts'
import { CLIP } from '#tests/support/clip.ts'
import { createFilesWorld, type FilesWorld } from './files-world.ts'

let world: FilesWorld
beforeAll(async () => {
  world = await createFilesWorld()
})
afterAll(() => world?.drop())

const log = { info() {}, warn() {}, error() {} }
const sweep = () => removeUnusedFiles({ database: world.database.worker, log })
const audio = (src: string) => ({ kind: 'audio', src, title: 'A talk', transcript: 'What is said.' })

describe('An upload', () => {
  it('is re-encoded when it is a picture, without the metadata of the camera', async () => {
    const photo = await sharp({ create: { width: 3000, height: 100, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Artist: 'Secret Person' } })
      .jpeg()
      .toBuffer()
    const { status, json } = await world.upload('aya', photo, 'image/jpeg', 'a photo.jpg')
    expect([status, json.content_type, json.file_name]).toEqual([201, 'image/webp', 'a photo.webp'])
    const { bytes, headers } = await world.fetchFile('aya', json.src)
    expect((await sharp(bytes).metadata()).width).toBe(1600)
    expect(bytes.includes('Secret Person')).toBe(false)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('content-disposition')).toMatch(/^inline; filename\*=UTF-8''a%20photo\.webp$/)
  })

  it('is refused when it is not what it claims, from a learner, empty, or a decompression bomb', async () => {
    for (const [bytes, type] of [
      ['<html>', 'image/png'],
      ['<svg onload=alert(1)>', 'image/svg+xml'],
      ['<script>', 'text/html'],
      ['MZ', 'application/zip'],
      ['', 'text/plain'],
    ] as const)
      expect((await world.upload('adam', Buffer.from(bytes), type, 'x')).json.detail.file).toHaveLength(1)
    expect((await world.upload('uri', Buffer.from('hello'), 'text/plain', 'x.txt')).status).toBe(403)
    expect(recognize(Buffer.from('hello'), 'text/plain; charset=utf-8')).toEqual({
      kind: 'file',
      content_type: 'text/plain',
    })
    const bomb = await sharp({
      create: { width: 9000, height: 9000, channels: 3, background: 'white' },
      limitInputPixels: false,
    })
      .png()
      .toBuffer()
    expect(bomb.length).toBeLessThan(1_000_000)
    const { json } = await world.upload('adam', bomb, 'image/png', 'bomb.png')
    expect(json.detail.file).toEqual(['The image has too many pixels'])
  }, 60_000)

  it('is sent with a safe file name, whatever its name is', async () => {
    const evil = `../../etc/"pass\r\nwd: <x>.pdf`
    const { json } = await world.upload('adam', Buffer.from('%PDF-1.7'), 'application/pdf', evil)
    const { headers } = await world.fetchFile('adam', json.src)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''[\w%-]+\.pdf$/)
  })

  it('is accepted with a long name of rare characters', async () => {
    const { status } = await world.upload('adam', Buffer.from('hi'), 'text/plain', `a${'𝒳'.repeat(60)}.txt`)
    expect(status).toBe(201)
  })

  it('is stored byte for byte, and once per Idempotency-Key, which fits only the same bytes', async () => {
    const file = Buffer.concat([Buffer.from('%PDF-1.7 '), Buffer.from([0xff, 0xfe, 0x00, 0x80])])
    const form = new FormData()
    form.set('file', new File([file], 'a.pdf', { type: 'application/pdf' }))
    const sent = new Response(form)
    const type = sent.headers.get('content-type') ?? ''
    const body = Buffer.from(await sent.arrayBuffer())
    const principal = world.people.adam
    const send = async () => {
      const headers = {
        ...{ authorization: 'Bearer adam', 'x-tenant-id': principal.tenant_id },
        ...{ 'content-type': type, 'idempotency-key': 'upload' },
      }
      const request = new Request('http://api.test/api/v1/files', { method: 'POST', headers, body })
      const answer = await world.api.fetch(request, { caller: { token: 'adam', principal } })
      return { status: answer.status, json: await answer.json() }
    }
    const { status, json } = await send()
    expect(status).toBe(201)
    expect((await world.fetchFile('adam', json.src)).bytes.equals(file)).toBe(true)
    expect((await send()).json.id).toBe(json.id)
    body[body.indexOf(0xff)] = 0xfd
    expect((await send()).status).toBe(422)
  })

  it('can be downloaded in parts', async () => {
    const { json } = await world.upload('adam', CLIP, 'audio/mpeg', 'clip.mp3')
    const part = async (range: string) => world.fetchFile('adam', json.src, { range })
    expect((await part('bytes=10-19')).headers.get('content-range')).toBe('bytes 10-19/1000')
    expect((await part('bytes=10-19')).bytes).toEqual(CLIP.subarray(10, 20))
    expect((await part('bytes=-5')).bytes).toEqual(CLIP.subarray(995))
    expect((await part('bytes=990-')).headers.get('content-length')).toBe('10')
    expect((await part('bytes=5000-')).status).toBe(416)
    expect((await part('bytes=0-1,5-6')).status).toBe(200)
  })
})

describe('A block', () => {
  it('can show only a file of its kind, whether written or imported', async () => {
    const { src } = (await world.upload('adam', Buffer.from('%PDF-1.7'), 'application/pdf', 'a.pdf')).json
    const { id } = (await world.call('adam', 'POST', '/lljs', { name: 'Kinds', category: 'Sales' })).json
    const lift = (blocks: unknown[]) =>
      world.call('adam', 'POST', `/lljs/${id}/lifts`, { title: 'One', blocks })
    const parts = [
      { kind: 'file', src, title: 'To keep' },
      { kind: 'image', src, alt: 'A page' },
    ]
    const wrong = await lift([...parts, { ...audio(src), captions: src }])
    expect(wrong.status).toBe(422)
    expect(Object.keys(wrong.json.detail)).toEqual(['blocks.1.src', 'blocks.2.src', 'blocks.2.captions'])
    expect((await lift(parts.slice(0, 1))).status).toBe(201)
    const file = (kind: string, words: string) =>
      `---\nliftwell: 1\nname: In\n---\n# Lift: One\n~~~settings\nschedule:\n  kind: manual\n  at_launch: true\n~~~\n~~~${kind}\nsrc: ${src}\n${words}\n~~~\n`
    const look = async (text: string) =>
      (await world.call('adam', 'POST', '/lljs/import', { text })).json.problems
    expect(await look(file('image', 'alt: A page of a book'))).toEqual([
      { line: 11, severity: 'error', message: 'Please choose an image (PNG, JPEG, WebP or GIF)' },
    ])
    expect(await look(file('file', 'title: A page'))).toEqual([])
  })

  it('can show only a file that was uploaded in its own company', async () => {
    const { id } = (await world.call('adam', 'POST', '/lljs', { name: 'Here', category: 'Sales' })).json
    const elsewhere = [
      '//evil.example/malware.exe',
      '/\\evil.example/x',
      '/logout',
      '/api/v1/users/me',
      '/files/../../etc/passwd',
      `/files/${world.acme}/00000000-0000-4000-8000-000000000000`,
      `/files/${world.globex}/00000000-0000-4000-8000-000000000000`,
    ]
    for (const src of elsewhere)
      for (const block of [
        { kind: 'file', src, title: 'Download the handbook' },
        { kind: 'image', src, alt: 'A page' },
        { ...audio(src), kind: 'video' },
      ]) {
        const answer = await world.call('adam', 'POST', `/lljs/${id}/lifts`, {
          title: 'One',
          blocks: [block],
        })
        expect([src, answer.status, Object.keys(answer.json.detail)]).toEqual([src, 422, ['blocks.0.src']])
      }
  })

  it('keeps its recording and the captions from being deleted as unused', async () => {
    const heard = (await world.upload('adam', CLIP, 'audio/mpeg', 'a.mp3')).json.src
    const captions = (await world.upload('adam', Buffer.from('WEBVTT\n'), 'text/vtt', 'a.vtt')).json.src
    const { id } = (await world.call('adam', 'POST', '/lljs', { name: 'Heard', category: 'Sales' })).json
    const blocks = [{ ...audio(heard), captions }]
    await world.call('adam', 'POST', `/lljs/${id}/lifts`, { title: 'One', blocks })
    for (const src of [heard, captions]) await world.age(src)
    await sweep()
    expect((await world.fetchFile('adam', heard)).status).toBe(200)
    expect((await world.fetchFile('adam', captions)).status).toBe(200)
  })
})

describe('The quota of file storage', () => {
  it('is shared by the whole company, including uploads inside its sub-tenants', async () => {
    const { json } = await world.upload('adam', CLIP, 'audio/mpeg', 'room.mp3')
    const size = (bytes: number) =>
      world.admin.query('update files set size = $1 where id = $2', [bytes, json.id])
    await size(TENANT_QUOTA_BYTES - 100_000)
    const inside = () => world.upload('nora', CLIP, 'audio/mpeg', 'mine.mp3', { sub: world.north })
    expect((await inside()).status).toBe(201)
    // The sibling's files count too, though they are invisible here.
    await world.admin.query('update files set sub_tenant_id = $1, size = $2 where id = $3', [
      world.south,
      TENANT_QUOTA_BYTES - 500,
      json.id,
    ])
    const full = await inside()
    expect([full.status, full.json.detail.file[0]]).toEqual([
      422,
      expect.stringContaining('file storage is full'),
    ])
    await size(1000)
  })
})

describe('A file', () => {
  it('can be fetched with its captions by its author, administrators, and learners who got its lift', async () => {
    const { json } = await world.upload('aya', CLIP, 'audio/mpeg', 'shown.mp3')
    const captions = (await world.upload('aya', Buffer.from('WEBVTT\n'), 'text/vtt', 'a.vtt')).json.src
    const statuses = async () =>
      Object.fromEntries(
        await Promise.all(
          (['aya', 'adam', 'uri', 'greta', 'sofia'] as const).map(async (who) => {
            const { status } = await world.fetchFile(who, json.src)
            expect([who, (await world.fetchFile(who, captions)).status]).toEqual([who, status])
            return [who, status]
          }),
        ),
      )
    const nobody = { aya: 200, adam: 200, uri: 404, greta: 404, sofia: 404 }
    expect(await statuses()).toEqual(nobody)
    const now = { schedule: { kind: 'manual', at_launch: true }, blocks: [{ ...audio(json.src), captions }] }
    const { id, lift } = await world.draft(['uri'], {}, now)
    expect(await statuses()).toEqual(nobody)
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect(await statuses()).toEqual({ ...nobody, uri: 200 })

    // The lift was not sent yet, so a change removes the file from it; nor can a learner who leaves fetch it.
    const { lock_version } = await world.must('adam', 'GET', `/lifts/${lift}`)
    await world.must('adam', 'PUT', `/lifts/${lift}`, {
      lock_version,
      blocks: [{ kind: 'text', markdown: 'New' }],
    })
    expect((await statuses()).uri).toBe(404)
    const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
    await world.must('adam', 'DELETE', `/lljs/${id}/members/${data[0].id}`)
    expect((await statuses()).uri).toBe(404)
  })

  it('stays available to learners who got its lift, and is unavailable before its lift is due', async () => {
    const { json } = await world.upload('aya', CLIP, 'audio/mpeg', 'sent.mp3')
    const { id, lift } = await world.draft(
      ['uri'],
      {},
      {
        schedule: { kind: 'manual', at_launch: true },
        blocks: [audio(json.src)],
      },
    )
    const later = await world.must('adam', 'POST', `/lljs/${id}/lifts`, {
      title: 'Later',
      status: 'ready',
      schedule: { kind: 'offset', from: 'start', days: 30 },
      blocks: [audio((await world.upload('aya', CLIP, 'audio/mpeg', 'later.mp3')).json.src)],
    })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await (await world.workers()).drain()
    await world.admin.query(`update lifts set blocks = '[]', version = version + 1 where id = $1`, [lift])
    expect((await world.fetchFile('uri', json.src)).status).toBe(200)
    expect((await world.fetchFile('uri', later.blocks[0].src)).status).toBe(404)
    await world.age(json.src)
    await sweep()
    expect((await world.fetchFile('uri', json.src)).status).toBe(200)
  })

  it('in a block of another kind prevents the launch', async () => {
    const { src } = (await world.upload('adam', Buffer.from('%PDF-1.7'), 'application/pdf', 'a.pdf')).json
    const { id, lift } = await world.draft(['uri'], {}, { schedule: { kind: 'manual', at_launch: true } })
    const show = (kind: string, words: object) =>
      world.admin.query('update lifts set blocks = $2 where id = $1', [
        lift,
        JSON.stringify([{ kind, src, ...words }]),
      ])
    await show('image', { alt: 'A page' })
    const { problems } = await world.must('adam', 'GET', `/lljs/${id}/schedule`)
    expect(problems).toEqual([
      { code: 'file', lift_id: lift, message: expect.stringContaining('Please choose an image') },
    ])
    const refused = await world.call('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    expect([refused.status, refused.json.detail.lifts]).toEqual([422, [problems[0].message]])
    await show('file', { title: 'A page' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  })

  it('of a sub-tenant is not found for other sub-tenants, as if it did not exist', async () => {
    const { json } = await world.upload('nora', CLIP, 'audio/mpeg', 'north.mp3', { sub: world.north })
    expect((await world.fetchFile('nora', json.src, { sub: world.north })).status).toBe(200)
    const away = await world.fetchFile('both', json.src, { sub: world.south })
    const missing = await world.fetchFile('both', json.src.replace(/.{12}$/, '000000000000'), {
      sub: world.south,
    })
    expect([away.status, away.bytes.toString()]).toEqual([404, missing.bytes.toString()])
    // An address that names another company gives no access to its file.
    const foreign = json.src.replace(world.acme, world.globex)
    expect((await world.fetchFile('adam', foreign)).status).toBe(404)
  })
})

describe('Files that no lift shows', () => {
  it('are deleted after a day, and so are those of a deleted journey', async () => {
    const fresh = (await world.upload('adam', CLIP, 'audio/mpeg', 'fresh.mp3')).json.src
    const left = (await world.upload('adam', CLIP, 'audio/mpeg', 'left.mp3')).json.src
    const used = (await world.upload('adam', CLIP, 'audio/mpeg', 'used.mp3')).json.src
    const { id } = await world.draft([], {}, { blocks: [audio(used)] })
    for (const src of [left, used]) await world.age(src)
    const there = async () =>
      Promise.all([fresh, left, used].map(async (src) => (await world.fetchFile('adam', src)).status))
    await sweep()
    expect(await there()).toEqual([200, 404, 200])
    await world.must('adam', 'DELETE', `/lljs/${id}`)
    await sweep()
    expect(await there()).toEqual([200, 404, 404])
  })

  it('are kept if they are logos', async () => {
    await world.admin.query(
      `insert into files (tenant_id, kind, content_type, file_name, size, sha256, bytes, created_on)
       values ($1, 'logo', 'image/png', 'logo.png', 1, 'x', 'x', now() - interval '9 days')`,
      [world.acme],
    )
    await sweep()
    const { rows } = await world.admin.query(
      `select from files where kind = 'logo' and file_name = 'logo.png'`,
    )
    expect(rows).toHaveLength(1)
  })
})
