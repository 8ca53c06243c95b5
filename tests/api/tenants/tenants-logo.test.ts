import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { withAdmin } from '#tests/support/postgres.ts'
import { createWorld, type TenantsWorld } from './tenants-world.ts'

let database: TestDatabase
let world: TenantsWorld

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
})
afterAll(() => database?.drop())

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c33' } })
const logo = (bytes: Buffer, file_type = 'image/png', file_name = 'logo.png') => ({
  base64: bytes.toString('base64'),
  file_name,
  file_type,
})
const save = (input: unknown) => world.call('adam', 'PUT', `/tenants/${world.acme}/company`, { logo: input })

/** A PNG whose header claims more pixels than its few bytes can hold. */
function hugePng(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const size = Buffer.alloc(4)
    size.writeUInt32BE(data.length)
    const check = Buffer.alloc(4)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([size, body, check])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((side / 8 + 1) * side))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

function crc32(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

describe('A logo', () => {
  it('is stored smaller, as WebP and without the camera’s metadata', async () => {
    const photo = await picture(1600, 900)
      .withExif({ IFD0: { Copyright: 'A SECRET PLACE' } })
      .jpeg()
      .toBuffer()
    const saved = await save(logo(photo, 'image/jpeg', 'Our Photo.JPG'))
    expect(saved.status).toBe(200)
    expect(saved.json.logo).toMatch(/^\/files\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/)

    const file = await world.call('uri', 'GET', saved.json.logo)
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toBe('image/webp')
    expect(file.headers.get('cache-control')).toMatch(/^private/)
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    expect(file.bytes.includes('SECRET')).toBe(false)
    const { width, height, exif } = await sharp(file.bytes).metadata()
    expect({ width, height, exif }).toEqual({ width: 512, height: 288, exif: undefined })
  })

  it('stays a transparent PNG, even if it was sent as a data URL', async () => {
    const drawing = await sharp({ create: { width: 64, height: 64, channels: 4, background: '#0000' } })
      .png()
      .toBuffer()
    const sent = logo(drawing)
    const saved = await save({ ...sent, base64: `data:image/png;base64,${sent.base64}` })
    const file = await world.call('adam', 'GET', saved.json.logo)
    expect(file.headers.get('content-type')).toBe('image/png')
    expect((await sharp(file.bytes).metadata()).hasAlpha).toBe(true)
  })

  it('can be replaced, kept and removed, and the old file is gone', async () => {
    const first = await save(logo(await picture(20, 20).png().toBuffer()))
    const second = await save(logo(await picture(30, 30).png().toBuffer()))
    expect(second.json.logo).not.toBe(first.json.logo)
    expect((await world.call('adam', 'GET', first.json.logo)).status).toBe(404)
    const kept = await world.call('adam', 'PUT', `/tenants/${world.acme}/company`, { timezone: 'UTC' })
    expect(kept.json.logo).toBe(second.json.logo)
    expect((await save(null)).json.logo).toBeNull()
    const { data } = (await world.call('adam', 'GET', '/audit_events?action=company.updated')).json
    const named = (id: string) => `logo.png (${id.split('/')[3]?.slice(0, 8)})`
    const logos = data.flatMap(({ changes }: { changes: { logo?: object } }) => changes.logo ?? [])
    expect(logos.slice(0, 2)).toEqual([
      { before: named(second.json.logo), after: null },
      { before: named(first.json.logo), after: named(second.json.logo) },
    ])
    expect((await world.call('adam', 'GET', second.json.logo)).status).toBe(404)
  })

  it('is visible to its tenant and to super admins, and not to another tenant', async () => {
    const { json } = await save(logo(await picture(20, 20).png().toBuffer()))
    const elsewhere = await world.call('greta', 'GET', json.logo)
    expect(elsewhere.status).toBe(404)
    const [, , , fileId] = json.logo.split('/')
    expect((await world.call('greta', 'GET', `/files/${world.globex}/${fileId}`)).text).toBe(elsewhere.text)
    expect((await world.call('greta', 'GET', '/files/x/y')).text).toBe(elsewhere.text)
    expect((await world.call('sofia', 'GET', json.logo)).status).toBe(200)
    expect((await world.call('sofia', 'GET', json.logo, undefined, { as: world.globex })).status).toBe(200)
    expect((await world.call('nora', 'GET', json.logo)).status).toBe(200)
  })

  it('of a sub-tenant is visible in it and in its tenant, and not to another sub-tenant or tenant', async () => {
    const path = `/tenants/${world.acme}/sub_tenants/${world.north}/company`
    const { json } = await world.call('nora', 'PUT', path, {
      logo: logo(await picture(20, 20).png().toBuffer()),
    })
    expect((await world.call('nora', 'GET', json.logo)).status).toBe(200)
    expect((await world.call('adam', 'GET', json.logo)).status).toBe(200)
    for (const who of ['adam', 'both'] as const)
      expect((await world.call(who, 'GET', json.logo, undefined, { sub: world.south })).status).toBe(404)
    expect((await world.call('greta', 'GET', json.logo)).status).toBe(404)
  })

  it('can be set when a tenant is created', async () => {
    const drawing = logo(await picture(20, 20).png().toBuffer())
    const { json } = await world.call('sofia', 'POST', '/tenants', { name: 'Drawn', logo: drawing })
    expect((await world.call('sofia', 'GET', json.logo)).status).toBe(200)
    expect((await world.call('sofia', 'GET', '/tenants?q=Drawn')).json.data[0].logo).toBe(json.logo)
  })
})

describe('A logo file', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const html = Buffer.from('<!doctype html><script>alert(1)</script>')

  const refused = async (input: unknown) => {
    const before = (await world.call('adam', 'GET', '/tenants/me')).json
    const answer = await save(input)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.json.detail)[0]).toMatch(/^logo/)
    expect((await world.call('adam', 'GET', '/tenants/me')).json).toEqual(before)
    return answer.json.detail
  }

  it('is refused if it is an SVG, whatever its declared type', async () => {
    await refused(logo(svg, 'image/svg+xml', 'logo.svg'))
    await refused(logo(svg, 'image/png', 'logo.png'))
  })

  it('is refused if it is an HTML page, whatever its declared type', async () => {
    expect(await refused(logo(html))).toEqual({
      logo: ['This file is not an image. Please choose one: PNG, JPEG, WebP or GIF, up to 2 MB'],
    })
    await refused(logo(html, 'text/html'))
  })

  it('is refused if its type is not the declared one, and HTML after an image is removed', async () => {
    expect(await refused(logo(await picture(9, 9).jpeg().toBuffer(), 'image/png'))).toEqual({
      logo: ['This image is of another type than its name says. Please save it again as PNG or JPEG'],
    })
    const polyglot = Buffer.concat([await picture(9, 9).gif().toBuffer(), html])
    const saved = await save(logo(polyglot, 'image/gif', 'logo.gif'))
    expect(saved.status).toBe(200)
    expect((await world.call('adam', 'GET', saved.json.logo)).bytes.includes('<script>')).toBe(false)
  })

  it('is refused within a second if it has 30,000 by 30,000 pixels', async () => {
    const bytes = hugePng(30_000)
    expect(bytes.length).toBeLessThan(2_000_000)
    const started = Date.now()
    await refused(logo(bytes))
    expect(Date.now() - started).toBeLessThan(1000)
  })

  it('is refused if it is larger than 2 MB', async () => {
    expect(await refused(logo(Buffer.alloc(50 * 1024 * 1024)))).toEqual({
      logo: ['The image is larger than 2 MB'],
    })
    await refused(logo(Buffer.concat([await picture(9, 9).png().toBuffer(), Buffer.alloc(2 * 1024 * 1024)])))
  })

  it('is refused if it is half an image, not Base64, blank or missing, or has an unknown field', async () => {
    const whole = await picture(300, 300).png().toBuffer()
    await refused(logo(whole.subarray(0, whole.length / 2)))
    await refused({ ...logo(whole), base64: '***' })
    await refused({ ...logo(whole), base64: '' })
    await refused({ ...logo(whole), base64: undefined })
    await refused('logo.png')
    const extra = await save({ ...logo(whole), path: '/etc/passwd' })
    expect(extra.status).toBe(422)
  })
})

describe('A change by a super admin', () => {
  it('is logged with the tenant it was made for, and queues an invitation for a new administrator', async () => {
    await world.call(
      'sofia',
      'PUT',
      `/tenants/${world.acme}/company`,
      { timezone: 'UTC' },
      { as: world.acme },
    )
    const { json } = await world.call('sofia', 'POST', '/tenants', {
      name: 'Written',
      admins: [{ first_name: 'Wendy', email: 'wendy@written.example' }],
    })
    await withAdmin(database.adminUrl, async (admin) => {
      const events = await admin.query(
        `select action, actor_email, on_behalf_of from audit_events where tenant_id = $1 and action = 'company.updated' and on_behalf_of is not null`,
        [world.acme],
      )
      expect(events.rows).toEqual([
        { action: 'company.updated', actor_email: world.people.sofia.email, on_behalf_of: world.acme },
      ])
      const jobs = await admin.query(
        `select payload from graphile_worker._private_jobs
         where payload->>'tenant_id' = $1 and payload->>'user_id' is not null`,
        [json.id],
      )
      expect(jobs.rows).toMatchObject([{ payload: { tenant_id: json.id, user_id: json.admins[0].id } }])
    })
  })
})
