/** From a new journey to answers that are counted, without JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { beside } from './authoring-world.ts'

let site: Site
let adam: Visitor
let uri: Visitor
beforeAll(async () => {
  site = await openSite()
  adam = await site.visitor('adam@northwind.example')
  uri = await site.visitor('uri@northwind.example')
})
afterAll(() => site?.close())

const LIFT = {
  title: 'Listen first',
  sms_text: 'Hi {{first_name}}, "{{lift}}" waits: {{link}}',
  email_subject: '',
  body: 'People **remember** who listened. <script>alert(1)</script>\n\n[bad](javascript:alert(1))',
  question: 'What comes first?',
  'options[0].text': 'Listening',
  'options[0].feedback': 'Right, always.',
  'options[1].text': 'Talking',
  'options[1].feedback': 'Listen first.',
  correct: '0',
  when: 'launch',
  is_ready: 'on',
}

describe('A journey without JavaScript', () => {
  let schedule = ''
  let lift = ''

  it('is created in a dialog that requires a name and keeps what was chosen, and is then listed', async () => {
    expect(await html(adam, '/lljs/manage/new')).toContain('Create New LLJ</h1>')
    const wrong = await adam.submit('/lljs/manage/new', {
      name: '',
      category: 'Safety',
    })
    expect(wrong.status).toBe(400)
    const again = await wrong.text()
    expect(again).toContain('This field is required')
    expect(again).toMatch(/<option value="Safety" selected="">/)
    const made = await adam.submit('/lljs/manage/new', {
      name: 'Talks that help',
      category: 'Safety',
    })
    schedule = made.headers.get('location') ?? ''
    expect(schedule).toMatch(/^\/lljs\/\d+\/schedule$/)
    expect(await html(adam, '/lljs/manage?name=talks')).toContain('Talks that help')
  })

  it('links to what is missing before its launch', async () => {
    const page = await html(adam, schedule)
    expect(page).toContain('Add a lift and mark it ready.')
    expect(page).toContain('/schedule/lifts/new"')
    expect(page).toContain('/people"')
  })

  it('gets a lift with a question, and keeps what was typed when something is wrong', async () => {
    const wrong = await adam.submit(`${schedule}/lifts/new`, { ...LIFT, title: '' })
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toContain('People **remember** who listened.')
    expect((await adam.submit(`${schedule}/lifts/new`, LIFT)).headers.get('location')).toBe(schedule)
    const page = await html(adam, schedule)
    lift = page.match(/\/lift\/t\/(\d+)/)?.[1] ?? ''
    expect(page).toContain('Listen first')
    const editor = await html(adam, beside(schedule, `lifts/${lift}`))
    expect(editor).toContain('What comes first?')
    const [, prompt] = editor.match(/value="prompts\/(\d+)/) ?? []
    const question = await html(adam, beside(schedule, `lifts/${lift}/prompts/${prompt}`))
    expect(question).toContain('value="What comes first?"')
    expect(question).toContain('value="Listening"')
  })

  it('shows an outdated edit what was saved, and keeps what was typed', async () => {
    const editor = beside(schedule, `lifts/${lift}`)
    const [, lock_version = ''] =
      (await html(adam, editor)).match(/name="lock_version"[^>]*value="(\d+)"/) ?? []
    const first = await adam.submit(editor, {
      ...LIFT,
      'options[0].id': 'a',
      'options[1].id': 'b',
      lock_version,
    })
    expect(first.headers.get('location')).toBe(schedule)
    const late = await adam.submit(editor, { ...LIFT, title: 'Listen later', lock_version })
    const page = await late.text()
    expect(late.status).toBe(409)
    expect(page).toContain('Saved now')
    expect(page).toContain('value="Listen later"')
  })

  it('has a test page of its lift that stores no answer, without scripts and without feedback', async () => {
    const page = await html(adam, `/lift/t/${lift}`)
    expect(page).toMatch(/<title>Test: [^<]+ · Liftwell<\/title>/)
    expect(page).toContain('<strong>Test.</strong>')
    expect(page).toContain('<strong>remember</strong>')
    expect(page).not.toContain('alert(1)</script>')
    expect(page).not.toContain('javascript:')
    expect(page).not.toContain('Right, always.')
    const [, action = ''] = page.match(/<form[^>]*action="(\/lift\/\d+)"/) ?? []
    const [, name = ''] = page.match(/name="(answer:[^"]+)"/) ?? []
    const refused = await adam.submit(action, { [name]: 'a' })
    expect([refused.status, await refused.text()]).toEqual([
      404,
      expect.stringContaining('Nothing was saved.'),
    ])
  })

  it('gets learners, and is launched after a question', async () => {
    const dialog = await html(adam, `${beside(schedule, 'people/add')}?people=uri`)
    const [, user] = dialog.match(/name="user_ids" value="(\d+)"/) ?? []
    expect((await adam.submit(beside(schedule, 'people/add'), { intent: 'add-members' })).status).toBe(422)
    await adam.submit(beside(schedule, 'people/add'), { intent: 'add-members', user_ids: user ?? '' })
    expect(await html(adam, beside(schedule, 'people'))).toContain('uri@northwind.example')
    const question = await html(adam, `${schedule}/launch`)
    expect(question).toContain('1 learner will take part.')
    expect(question).toMatch(/Now: 1 message goes out now: 1 e-mail; \d of 1 person (is|are) asleep\./)
    const launched = await adam.submit(`${schedule}/launch`, {
      expected_recipients: '1',
      skip_past: 'false',
      send_now: 'true',
    })
    const page = await adam.follow(launched)
    expect(page.html).toContain('Journey launched')
    expect(page.html).toContain('active')
  })

  it('reaches the learner, who answers and sees the feedback', async () => {
    expect(await html(uri, '/todo')).toContain('Listen first')
    const page = await html(uri, `/lift/${lift}`)
    expect(page).toContain('What comes first?')
    expect(page).not.toContain('Right, always.')
    const [, name = ''] = page.match(/name="(answer:[^"]+)"/) ?? []
    const empty = await uri.submit(`/lift/${lift}`, { [name]: 'nonsense' })
    expect(empty.status).toBe(422)
    expect(await empty.text()).toContain('Please choose an answer')
    const answered = await uri.submit(`/lift/${lift}`, { [name]: 'a' })
    expect(answered.status).toBe(302)
    const feedback = await html(uri, `/lift/${lift}`)
    expect(feedback).toContain('Right, always.')
    expect(feedback).toContain('Done.')
    expect(await html(uri, '/todo')).not.toContain('Listen first')
    expect(await html(uri, '/learner')).toContain('Talks that help')

    // Its author, who does not take part, sees a test page of it, and cannot answer.
    const shown = await html(adam, `/lift/${lift}`)
    expect(shown).toContain('<strong>Test.</strong>')
    expect(shown).not.toContain('Right, always.')
    const refused = await adam.submit(`/lift/${lift}`, { [name]: 'b' })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(await html(uri, `/lift/${lift}`)).toContain('Right, always.')
  })

  it('is counted in analytics', async () => {
    const id = schedule.split('/')[2]
    for (const type of ['overview', 'by_user', 'by_lift'])
      expect(await html(adam, `/analytics?type=${type}&journey=${id}`)).toContain('1 of 1')
    const questions = await html(adam, `/analytics?type=by_lift&journey=${id}&lift=${lift}`)
    expect(questions).toContain('What comes first?')
    expect(questions).toContain('Answered 1 of 1'.replaceAll(/(\d)/g, '$1'))
  })

  it('is deleted after a question while it is a draft', async () => {
    const made = await adam.submit('/lljs/manage/new', {
      name: 'Short-lived',
      category: 'Safety',
    })
    const id = made.headers.get('location')?.split('/')[2]
    expect(await html(adam, `/lljs/manage/${id}/delete`)).toContain('Delete Short-lived?')
    for (const said of ['Draft deleted', 'Already deleted'])
      expect((await adam.follow(await adam.submit(`/lljs/manage/${id}/delete`, {}))).html).toContain(said)
    expect((await adam.visit(`/lljs/${id}/schedule`)).status).toBe(404)
  })

  it('sends strangers who open its lift to sign in', async () => {
    const stranger = await site.visitor()
    const answer = await stranger.visit(`/lift/${lift}`)
    expect(answer.headers.get('location')).toBe(`/login?redirect=${encodeURIComponent(`/lift/${lift}`)}`)
  })

  it('keeps its test pages and the pages of authors from a learner', async () => {
    for (const path of [
      `/lift/t/${lift}`,
      '/lift/999999',
      '/lift/abc',
      schedule,
      '/lljs/manage',
      '/analytics',
      '/testing',
    ])
      expect([path, (await uri.visit(path)).status]).toEqual([path, path.startsWith('/lift') ? 404 : 403])
  })

  it.each(['page=-1&order=drop:table', 'status=x&author=y&edit=z', 'page=1e308', 'category=%00'])(
    'is in lists that ignore malformed filters: ?%s',
    async (query) => {
      expect((await adam.visit(`/lljs/manage?${query}`)).status).toBe(200)
      expect((await adam.visit(`/analytics?${query}&type=z&journey=q`)).status).toBe(200)
    },
  )
})

async function html(visitor: Visitor, path: string): Promise<string> {
  const response = await visitor.visit(path)
  const text = await response.text()
  if (response.status !== 200)
    throw new Error(`${path}: ${response.status} ${response.headers.get('location')} ${text.slice(0, 300)}`)
  return text.replaceAll('<!-- -->', '')
}
