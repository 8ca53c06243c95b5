/** Consent to texts: entered by an administrator, and given by a phone in the Testing area. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html, plain, valueIn } from '#tests/screens/journeys/authoring-world.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

const PHONE = '+436601112233'
let site: Site
let admin: pg.Client
beforeAll(async () => {
  site = await openSite()
  admin = await site.connectAdmin()
})
afterAll(() => site?.close())

const run = async (statement: string, values: unknown[] = []) => (await admin.query(statement, values)).rows
const saidOf = async (number: string) =>
  (await run('select action, source from consent_events where number = $1 order by id', [number])).map(
    ({ action, source }) => `${action} by ${source}`,
  )
/** Gives a person a number with consent to texts. */
async function withPhone(email: string, number: string): Promise<string> {
  const [user] = await run(
    'update users set mobile_phone = $2, phone_verified_on = now() where email = $1 returning id, tenant_id',
    [email, number],
  )
  await run('update users set sms_opt_in = true where id = $1', [user?.id])
  await run(
    `insert into consent_events (tenant_id, number, user_id, action, source) values ($1, $2, $3, 'opt_in', 'profile')`,
    [user?.tenant_id, number, user?.id],
  )
  return user?.id
}

describe('A page opened before texts were stopped', () => {
  it('does not turn texts on again when it is saved, unless its box was changed', async () => {
    const number = '+31612340077'
    const id = await withPhone('aya@northwind.example', number)
    const [adam, aya] = [
      await site.visitor('adam@northwind.example'),
      await site.visitor('aya@northwind.example'),
    ]
    const drawn = await html(aya, '/settings/profile')
    expect(drawn).toMatch(/name="sms_opt_in_before"[^>]*value="yes"/)
    await adam.submit(`/users/edit/${id}?ask=opt_out`, { intent: 'opt_out' })
    const ended = ['opt_in by profile', 'opt_out by admin']
    expect(await saidOf(number)).toEqual(ended)

    const form = { first_name: 'Aya', last_name: 'Nakamura', job_title: 'Later' }
    const saved = await aya.submit('/settings/profile', {
      ...form,
      lock_version: valueIn(drawn, 'lock_version'),
      sms_opt_in: 'on',
      sms_opt_in_before: 'yes',
    })
    expect(saved.status).toBe(302)
    await aya.submit('/settings/privacy', { intent: 'consents', sms_opt_in: 'on', before: 'yes' })
    expect(await saidOf(number)).toEqual(ended)
    await aya.submit('/settings/privacy', { intent: 'consents', sms_opt_in: 'on', before: 'no' })
    expect(await saidOf(number)).toEqual([...ended, 'opt_in by profile'])
  })
})

describe('An administrator', () => {
  it('ends the texts of a person after a question, and cannot turn them on for them', async () => {
    const adam = await site.visitor('adam@northwind.example')
    const path = `/users/edit/${await withPhone('uri@northwind.example', PHONE)}`
    const before = await html(adam, path)
    expect(before).toContain(`${path}?ask=opt_out`)
    expect(before).toContain('Gets texts')
    expect(await html(adam, `${path}?ask=opt_out`)).toContain('End text messages to')
    const done = await adam.follow(await adam.submit(`${path}?ask=opt_out`, { intent: 'opt_out' }))
    expect([done.path, done.html.includes('Texts to this number have ended')]).toEqual([path, true])
    expect(await saidOf(PHONE)).toEqual(['opt_in by profile', 'opt_out by admin'])
    expect(await run('select sms_opt_in from users where mobile_phone = $1', [PHONE])).toEqual([
      { sms_opt_in: false },
    ])
    for (const intent of ['opt_in', 'toString', 'x'])
      expect((await adam.submit(path, { intent })).status).toBe(400)
    const after = await html(adam, path)
    expect(after).toContain('Deactivate account')
    expect(after).toContain('Gets no texts')
    expect(after).not.toContain('ask=opt_out')
  })

  it('cannot end texts of a person without a number; authors and other companies are refused', async () => {
    const adam = await site.visitor('adam@northwind.example')
    const [aya] = await run(
      `update users set mobile_phone = null where email = 'aya@northwind.example' returning id`,
    )
    expect(await html(adam, `/users/edit/${aya?.id}`)).not.toContain('ask=opt_out')
    const refused = await adam.submit(`/users/edit/${aya?.id}`, { intent: 'opt_out' })
    expect([refused.status, (await refused.text()).includes('This person has no number on file.')]).toEqual([
      422,
      true,
    ])
    const author = await site.visitor('aya@northwind.example')
    const other = `/users/edit/${await withPhone('uri@northwind.example', PHONE)}`
    expect((await author.submit(other, { intent: 'opt_out' })).status).toBe(403)
    const mia = await site.visitor('tess@testing.example')
    expect((await mia.submit(other, { intent: 'opt_out' })).status).toBe(404)
  })
})

describe('A phone in the Testing area', () => {
  const NUMBER = '+436604445566'
  let sofia: Visitor
  beforeAll(async () => {
    await withPhone('lena@testing.example', NUMBER)
    sofia = await site.visitor('sofia@liftwell.example')
    const page = await html(sofia, '/switch')
    const [, place = ''] = /value="([^"]*)"(?:(?!<label).)*Liftwell Testing/s.exec(page) ?? []
    await sofia.submit('/switch', { place, reason: 'To text' })
  })
  const text = (fields: Record<string, string>) =>
    sofia.submit(`/testing?phone=${encodeURIComponent(NUMBER)}`, { from: NUMBER, text: '', ...fields })

  it('sends STOP, START, HELP or other words, and gets the answer to each', async () => {
    const page = await html(sofia, `/testing?phone=${encodeURIComponent(NUMBER)}`)
    expect(valueIn(page, 'from')).toBe(NUMBER)
    for (const [fields, answer] of [
      [{ intent: 'text', word: 'STOP' }, 'and come by e-mail unless you stopped that'],
      [{ intent: 'text', word: 'HELP' }, 'learning by text'],
      [{ intent: 'text', word: 'START' }, 'You&#x27;ll get texts again'],
      [{ intent: 'text', text: 'stop please' }, 'You will get no texts from us'],
      [{ intent: 'text', text: 'What is this?' }, 'Nobody answers it.'],
    ] as const) {
      const sent = await sofia.follow(await text(fields))
      expect([fields, sent.path.startsWith('/testing?q='), plain(sent.html).includes(answer)]).toEqual([
        fields,
        true,
        true,
      ])
    }
    expect(await saidOf(NUMBER)).toEqual([
      'opt_in by profile',
      'opt_out by sms',
      'opt_in by sms',
      'opt_out by sms',
    ])
  })

  it('keeps the typed text when the number is invalid, and requires a text', async () => {
    const wrong = await text({ intent: 'text', from: '12', text: 'Kept words' })
    expect(wrong.status).toBe(400)
    expect(plain(await wrong.text())).toContain('Kept words</textarea>')
    const empty = await text({ intent: 'text' })
    expect([empty.status, (await empty.text()).includes('This field is required')]).toEqual([400, true])
  })

  it('is refused to people of other companies', async () => {
    for (const [email, refusal] of [
      ['adam@northwind.example', 404],
      ['uri@northwind.example', 403],
    ] as const) {
      const visitor = await site.visitor(email)
      const sent = await visitor.submit('/testing', { from: NUMBER, text: 'START', intent: 'text' })
      expect([email, sent.status]).toEqual([email, refusal])
    }
    expect((await saidOf(NUMBER)).at(-1)).toBe('opt_out by sms')
  })
})
