/** Authoring step by step, without JavaScript. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { beside, plain } from './authoring-world.ts'

let site: Site
let adam: Visitor
let schedule = ''
let lift = ''
beforeAll(async () => {
  site = await openSite()
  adam = await site.visitor('adam@northwind.example')
  const made = await adam.submit('/lljs/manage/new', {
    name: 'Step by step',
    category: 'Safety',
  })
  schedule = made.headers.get('location') ?? ''
  await adam.submit(`${schedule}/lifts/new`, {
    title: 'First {{constructor}} 👩🏽‍🚀',
    sms_text: '{{link}}',
    when: 'launch',
    is_ready: 'on',
    body: 'Hello',
  })
  lift = (await html(adam, schedule)).match(/\/lift\/t\/(\d+)/)?.[1] ?? ''
})
afterAll(() => site?.close())

const editor = (more = '') => beside(schedule, `lifts/${lift}${more}`)
const lockOf = async (path: string) =>
  (await html(adam, path)).match(/name="lock_version"[^>]*value="(\d+)"/)?.[1] ?? ''

it('The editor of a lift marks the tab of the schedule', async () => {
  const marked = (await html(adam, editor())).match(/<a class="tab"[^>]*aria-current[^>]*>[^<]*/g)
  expect(marked).toEqual([expect.stringMatching(/aria-current="true".*>Schedule$/)])
})

describe('The editor of a lift', () => {
  it('has its parts in the order in which people read them, then the settings and Save', async () => {
    const headings = (page: string) => {
      const [form = ''] = /<form[^>]* id="lift"[\s\S]*?<\/form>/.exec(page) ?? []
      return [...form.matchAll(/(?<=<h2[^>]*>)[^<]+|(?<=>)(?:Save lift|Image|Commitment)(?=<)/g)].map(String)
    }
    const after = ['Commitment', 'When', 'Completion', 'Ready', 'Save lift']
    expect(headings(await html(adam, editor()))).toEqual(['Message', 'Page', 'Image', 'Questions', ...after])
    expect(headings(await html(adam, `${schedule}/lifts/new`))).toEqual([
      ...['Message', 'Page', 'Image', 'Question'],
      ...after,
    ])
  })

  it('adds a block, and keeps what was typed when something is wrong', async () => {
    const page = editor('/blocks/link')
    const lock_version = await lockOf(page)
    const wrong = await adam.submit(page, {
      kind: 'link',
      lock_version,
      title: 'The manual',
      href: 'javascript:alert(1)',
    })
    expect(wrong.status).toBe(400)
    const text = await wrong.text()
    expect(text).toContain('Please enter a web address')
    expect(text).toContain('value="The manual"')
    const right = await adam.submit(page, {
      kind: 'link',
      lock_version,
      title: 'The manual',
      href: 'https://example.com/manual',
    })
    expect(right.headers.get('location')).toBe(editor())
  })

  it('takes an image only with a text for people who do not see it, and hides it from strangers', async () => {
    const page = editor('/blocks/image')
    const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const file = new File([new Uint8Array(png)], 'two people.png', { type: 'image/png' })
    const fields = { kind: 'image', lock_version: await lockOf(page), file }
    expect(await (await adam.submit(page, fields)).text()).toContain('This field is required')
    const none = await adam.submit(page, { kind: 'image', lock_version: fields.lock_version, alt: 'Two' })
    expect(plain(await none.text())).toContain('File: Please choose a file<')
    const svg = new File(['<svg/>'], 'x.png', { type: 'image/png' })
    expect(await (await adam.submit(page, { ...fields, file: svg, alt: 'Two people' })).text()).toContain(
      'Please choose an image',
    )
    await adam.submit(page, { ...fields, alt: 'Two people at a table' })
    const shown = await html(adam, `/lift/t/${lift}`)
    const [, src = ''] =
      shown.match(/<img class="lift-image" src="([^"]+)" alt="Two people at a table"/) ?? []
    const picture = await adam.visit(src)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
    const part = await adam.visit(src, { headers: { range: 'bytes=0-3' } })
    expect([part.status, await part.text()]).toEqual([206, 'RIFF'])
    expect((await (await site.visitor()).visit(src)).status).toBe(302)
  })

  it('moves and removes blocks, and refuses an outdated change', async () => {
    const names = async () =>
      [...(await html(adam, editor())).matchAll(/value="blocks\/\d+"[^>]*><bdi>([^<]+)</g)].map(
        (found) => found[1],
      )
    expect(await names()).toEqual(['Hello', 'The manual', 'Two people at a table'])
    const lock_version = await lockOf(editor())
    const move = (way: string, place: string, lock: string, sure = {}) =>
      adam.submit(editor(`/blocks/${place}`), { way, lock_version: lock, ...sure })
    const sure = { confirmed: 'true' }
    await move('up', '2', lock_version)
    expect(await names()).toEqual(['Hello', 'Two people at a table', 'The manual'])
    expect((await adam.follow(await move('remove', '0', lock_version, sure))).html).toContain('Not changed')
    const asked = (await (await move('remove', '2', await lockOf(editor()))).text()).replaceAll(
      '<!-- -->',
      '',
    )
    expect(asked).toContain('Remove this block from')
    expect(await names()).toHaveLength(3)
    await move('remove', '2', await lockOf(editor()), sure)
    expect(await names()).toEqual(['Hello', 'Two people at a table'])
  })

  it('shows both versions of a block to the second of two authors', async () => {
    const page = editor('/blocks/0')
    const lock_version = await lockOf(page)
    const save = (markdown: string) => adam.submit(page, { kind: 'text', lock_version, markdown })
    expect((await save('Theirs')).status).toBe(302)
    const late = await save('Mine')
    const text = (await late.text()).replaceAll('<!-- -->', '')
    expect(late.status).toBe(409)
    expect(text).toContain('Theirs')
    expect(text).toContain('Mine</textarea>')
  })
})

describe('Questions', () => {
  it.each([
    'single_choice',
    'multiple_choice',
    'true_false',
    'scale',
    'short_text',
    'long_text',
    'number',
    'ranking',
    'commitment',
    'confidence',
  ])('of the kind %s are saved and shown', async (kind) => {
    const page = editor(`/prompts/${kind}`)
    await html(adam, page)
    const fields = {
      kind,
      text: `About ${kind}`,
      visibility: 'sponsor',
      scoring: 'none',
      max_score: '1',
    }
    const options = ['single_choice', 'multiple_choice', 'ranking'].includes(kind)
      ? { 'options[0].text': 'One', 'options[0].feedback': 'Yes', 'options[1].text': 'Two' }
      : {}
    const wrong = await adam.submit(page, { ...fields, ...options, text: '', help: 'Kept words' })
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toContain('value="Kept words"')
    expect((await adam.submit(page, { ...fields, ...options })).headers.get('location')).toBe(editor())
    expect(await html(adam, `/lift/t/${lift}`)).toContain(`About ${kind}`)
  })

  it('are tagged with objectives, moved and removed', async () => {
    await adam.submit(beside(schedule, 'objectives'), {
      code: 'LO1',
      text: 'Listens first',
      target_percent: '80',
    })
    const twice = await adam.submit(beside(schedule, 'objectives'), {
      code: 'LO1',
      text: 'Kept words',
    })
    expect(twice.status).toBe(409)
    expect(await twice.text()).toContain('value="Kept words"')
    const list = await html(adam, beside(schedule, 'objectives'))
    expect(list).toContain('target 80%')
    const ids = [...(await html(adam, editor())).matchAll(/value="prompts\/(\d+)/g)].map(
      (found) => found[1] ?? '',
    )
    const question = await html(adam, editor(`/prompts/${ids[0]}`))
    const [, objective = ''] = question.match(/name="objective_ids"[^>]*value="(\d+)"/) ?? []
    expect(objective).not.toBe('')
    const [, version = ''] = question.match(/name="version"[^>]*value="(\d+)"/) ?? []
    await adam.submit(editor(`/prompts/${ids[0]}`), {
      kind: 'single_choice',
      version,
      text: 'Tagged',
      'options[0].text': 'One',
      'options[1].text': 'Two',
      objective_ids: objective,
      scoring: 'none',
      visibility: 'sponsor',
    })
    expect(await html(adam, beside(schedule, 'objectives'))).toContain('1 use')
    await adam.submit(editor(`/prompts/${ids[0]}`), { way: 'down' })
    await adam.submit(editor(`/prompts/${ids[9]}`), { way: 'remove', confirmed: 'true' })
    const after = [...(await html(adam, editor())).matchAll(/value="prompts\/(\d+)/g)].map(
      (found) => found[1],
    )
    expect(after).toEqual([ids[1], ids[0], ...ids.slice(2, 9)])
  })
})

describe('Participants', () => {
  const people = (more = '') => beside(schedule, `people${more}`)

  it('are imported from a table after a preview', async () => {
    const csv = 'email,role,sponsor\nuri@northwind.example,learner,adam@northwind.example'
    const wrong = await adam.submit(people('/import'), { text: `${csv}\nnobody@x.example,,` })
    expect(wrong.status).toBe(422)
    const said = (await wrong.text()).replaceAll('<!-- -->', '')
    expect(said).toContain('Line 3: nobody@x.example is not in your company')
    expect(said).toContain('nobody@x.example,,</textarea>')
    const looked = (await (await adam.submit(people('/import'), { text: csv })).text()).replaceAll(
      '<!-- -->',
      '',
    )
    expect(looked).toMatch(/\(learner\) is added: sponsor Adam/)
    expect(looked).toMatch(/One more person joins because the table names them as a sponsor: Adam/)
    await adam.submit(people('/import'), { text: csv, sure: 'true' })
    expect(await html(adam, people())).toContain('sponsor: Adam')
    const columns = 'email;role;sponsor;exclude_data\nuri@northwind.example;learner;aya@northwind.example;yes'
    const file = new File([new Uint8Array(Buffer.from(`\uFEFF${columns}`, 'utf16le'))], 'table.csv')
    const again = (await (await adam.submit(people('/import'), { text: '', file })).text()).replaceAll(
      '<!-- -->',
      '',
    )
    expect(again).toMatch(/is changed: sponsor Adam[^<]* → Aya[^<]*; excluded from analytics no → yes/)
    expect(again).toContain('name="sure" value="true"')
    expect(again.indexOf('Preview of this import')).toBeLessThan(again.indexOf('type="file"'))
    expect(again).toContain(`${columns}</textarea>`)
    const twice = { text: 'email,email\nuri@northwind.example,x' }
    expect(await (await adam.submit(people('/import'), twice)).text()).toContain(
      'The heading names “E-mail” twice.',
    )
    const empty = await adam.submit(people('/import'), { text: ' ' })
    const refused = await empty.text()
    expect(refused).toMatch(/id="import-problem">Please choose a file or paste its text\./)
    for (const field of ['<input aria-invalid="true"', '<textarea aria-invalid="true"'])
      expect(refused).toContain(`${field} aria-describedby="import-problem"`)
  })

  it('can be excluded from analytics, and cannot be their own sponsor', async () => {
    const [, member = ''] =
      (await html(adam, people())).match(/people\/(\d+)"[^>]*>Edit<span class="hidden-words"> Uri/) ?? []
    const page = people(`/${member}`)
    const save = (sponsor: string) => adam.submit(page, { role: 'learner', sponsor, exclude_data: 'on' })
    expect(await (await save('uri@northwind.example')).text()).toContain(
      'A person cannot be their own sponsor.',
    )
    expect(await (await save('nobody@x.example')).text()).toContain('Nobody in your company has this e-mail.')
    expect((await save('')).status).toBe(302)
    const list = await html(adam, people())
    expect(list).toContain('excluded from analytics')
    expect(list).not.toContain('sponsor: Adam')
  })

  it('are added by role', async () => {
    expect((await adam.submit(people('/add'), { intent: 'add-group', role: 'learner' })).status).toBe(422)
    const added = await adam.follow(
      await adam.submit(people('/add'), { intent: 'add-group', general_role: 'author', role: 'facilitator' }),
    )
    expect(added.html).toContain('added')
    expect(added.html).toContain('facilitator')
  })
})

describe('The list of journeys', () => {
  it('duplicates, reassigns, exports and imports a journey', async () => {
    const id = schedule.split('/')[2]
    const question = await html(adam, `/lljs/manage/${id}/duplicate`)
    expect(question).toContain('value="Step by step (copy)"')
    const made = await adam.submit(`/lljs/manage/${id}/duplicate`, {
      name: 'Second steps',
      lifts: 'on',
      objectives: 'on',
    })
    const copy = made.headers.get('location') ?? ''
    expect(await html(adam, copy)).toContain('First {{constructor}} 👩🏽‍🚀')

    const people = await html(adam, `/lljs/manage/${id}/author`)
    const [, aya = ''] = people.match(/<option value="(\d+)">Aya/) ?? []
    await adam.submit(`/lljs/manage/${id}/author`, { author_id: aya })
    expect(await html(adam, '/lljs/manage?name=Step%20by')).toContain('Aya')

    const file = await (await adam.visit(`${schedule.replace('/schedule', '/file')}`)).text()
    expect(file).toContain('# Lift: First {{constructor}} 👩🏽‍🚀')
    const broken = await adam.submit('/lljs/manage/import', {
      text: file.replace('liftwell: 2', 'liftwell: 7'),
    })
    expect(broken.status).toBe(422)
    expect((await broken.text()).replaceAll('<!-- -->', '')).toContain(
      'Line 2: </strong>Please write &quot;liftwell: 1&quot; here',
    )
    const looked = await adam.submit('/lljs/manage/import', { text: file })
    expect(await looked.text()).toContain('Create the draft')
    const imported = await adam.submit('/lljs/manage/import', {
      text: file,
      sure: 'true',
    })
    expect(imported.headers.get('location')).toMatch(/^\/lljs\/\d+\/schedule$/)
  })
})

async function html(visitor: Visitor, path: string): Promise<string> {
  const response = await visitor.visit(path)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
  return text.replaceAll('<!-- -->', '')
}
