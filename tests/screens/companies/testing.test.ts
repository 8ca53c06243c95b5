/** The testing area without JavaScript: who can use it, phones that reply, and screens that follow its clock. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html, plain, valueIn } from '#tests/screens/journeys/authoring-world.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

const NUMBER = '+12025551081'
let site: Site
let admin: pg.Client
let tess: Visitor
beforeAll(async () => {
  site = await openSite()
  admin = await site.connectAdmin()
  tess = await site.visitor('tess@testing.example')
})
afterAll(() => site?.close())
const ahead = (days: number) =>
  admin.query(`update tenants set clock_ahead_ms = $1 where is_testing`, [days * 86_400_000])

describe('The testing area', () => {
  it.each(['/testing', '/testing/messages', '/testing/start-again'])(
    'opens %s to administrators of the testing company only',
    async (path) => {
      expect((await tess.visit(path)).status).toBe(200)
      for (const [email, refusal] of [
        ['adam@northwind.example', 404],
        ['uri@northwind.example', 403],
        ['lena@testing.example', 403],
      ] as const) {
        const visitor = await site.visitor(email)
        if (email.startsWith('lena'))
          await admin.query(`update users set accepted_terms_on = now() where email = $1`, [email])
        expect([email, (await visitor.visit(path)).status]).toEqual([email, refusal])
      }
    },
  )

  it('does not move the clock of another company, or put it back to the start', async () => {
    const adam = await site.visitor('adam@northwind.example')
    expect((await adam.submit('/testing', { intent: 'clock', by: 'day', version: '0' })).status).toBe(404)
    expect((await adam.submit('/testing/start-again', { version: '0' })).status).toBe(404)
    const { rows } = await admin.query(
      `select count(*)::int from tenants where clock_version > 0 or clock_move is not null or clock_ahead_ms > 0`,
    )
    expect(rows).toEqual([{ count: 0 }])
  })

  it('shows a phone with messages in both directions, and how each was read', async () => {
    const sent = await tess.submit('/testing', { from: NUMBER, text: 'Who is this?', intent: 'text' })
    expect(sent.headers.get('location')).toBe(`/testing#phone-${NUMBER.slice(1)}`)
    await tess.submit('/testing', { from: NUMBER, text: '', intent: 'text', word: 'HELP' })
    const page = plain(await html(tess, '/testing'))
    expect(page).toContain('Omar Silva')
    expect(page).toMatch(/They wrote: <\/span>(<[^>]*>)*Who is this\?/)
    expect(page).toContain('Read, and nothing follows from it.')
    expect(page).toContain('Read as HELP.')
    expect(page).toContain('up to 1,600 characters')
    expect(plain(await html(tess, '/testing?q=nobody'))).not.toContain('Omar Silva')
  })

  it('says at the phone what was wrong, and keeps what was typed', async () => {
    const long = 'word '.repeat(400)
    const refused = await tess.submit('/testing', { from: NUMBER, text: long, intent: 'text' })
    const page = await refused.text()
    expect(refused.status).toBe(400)
    expect(page).toContain('Please use at most 1,600 characters')
    expect(page).toMatch(/aria-invalid="true"[^>]*aria-describedby="phone-12025551081-text-errors"/)
    expect(page).toContain(`value="${long.trim().slice(0, 40)}`)
    expect(page).toContain('<title>Error: Testing · Liftwell</title>')
    const asked = await tess.submit('/testing?phone=', { from: NUMBER, text: long, intent: 'text' })
    expect(await asked.text()).toContain('<title>Error: Answer as a phone · Testing · Liftwell</title>')
    for (const by of ['month', 'x', ''])
      expect((await tess.submit('/testing', { intent: 'clock', version: '0', by })).status).toBe(400)
  })
})

describe('A company whose clock was moved', () => {
  it('shows another “today” on its schedules', async () => {
    const { rows } = await admin.query(`select id from journeys where name = 'Six weeks as a new lead'`)
    const path = `/lljs/${rows[0]?.id}/schedule`
    const today = async () =>
      /Week of [^<]*(?=<span class="timeline-today")/.exec(plain(await html(tess, path)))?.[0]
    await ahead(9)
    const first = await today()
    await ahead(16)
    const second = await today()
    await ahead(0)
    expect([first, second]).toEqual([expect.stringContaining('Week of'), expect.stringContaining('Week of')])
    expect(second).not.toBe(first)
  })

  it('dates its notifications by its own clock', async () => {
    await admin.query(
      `insert into notifications (tenant_id, user_id, notification_type, content)
      select tenant_id, id, 'info', '{"title": "By the machine’s clock", "message": ""}' from users where email = $1`,
      ['tess@testing.example'],
    )
    const said = async () =>
      /By the machine’s clock.*?<time[^>]*>([^<]*)</s.exec(await html(tess, '/notifications'))?.[1]
    expect(await said()).toMatch(/^Today, /)
    await ahead(5)
    const later = await said()
    await ahead(0)
    expect(later).toMatch(/^[A-Z][a-z]{2} \d+, \d{4}$/)
  })

  it('shows how far ahead its clock is, with the version for the form', async () => {
    await ahead(3)
    const page = await html(tess, '/testing')
    await ahead(0)
    expect(plain(page)).toContain('3 days ahead')
    expect(valueIn(page, 'version')).toBe('0')
  })
})
