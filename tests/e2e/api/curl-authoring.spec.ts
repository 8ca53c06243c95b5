import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { moveTo } from '../behind-the-scenes.ts'
import { accountOf } from '../people.ts'
import { test } from '../product.ts'

test('curl alone writes a journey, previews it in two time zones, launches it and moves a lift', async ({
  baseURL,
}, info) => {
  test.skip(info.project.name !== 'without-javascript', 'curl has no JavaScript')
  const jar = join(mkdtempSync(join(tmpdir(), 'liftwell-curl-')), 'cookies')
  const curl = (path: string, fields: Record<string, string> = {}) => {
    const data = Object.entries(fields).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`])
    const url = path.startsWith('http') ? path : `${baseURL}${path}`
    const args = ['-s', '-L', '-b', jar, '-c', jar, '-H', `Origin: ${baseURL}`, '-w', '\n%{url_effective}']
    const said = execFileSync('curl', [...args, ...data, url], { encoding: 'utf8' })
    const end = said.lastIndexOf('\n')
    return { html: said.slice(0, end).replaceAll('<!-- -->', ''), url: said.slice(end + 1) }
  }
  const find = (html: string, pattern: RegExp) => pattern.exec(html)?.[1] ?? ''

  // Other stories move him to a zone where it is day.
  await moveTo('ravi@testing.example', 'Asia/Kolkata')
  const { email, password } = accountOf('tess@testing.example')
  curl(curl('/login', { email }).url, { username: email, password })
  const name = `By curl ${Date.now()}`
  const made = curl('/lljs/manage/new', { name, category: 'Try-outs' })
  const schedule = new URL(made.url).pathname
  expect(schedule).toMatch(/^\/lljs\/\d+\/schedule$/)
  const journey = schedule.replace('/schedule', '')

  const message = { sms_text: 'Hi {{first_name}}: {{link}}', is_ready: 'on' }
  const question = { question: 'Which?', 'options[0].text': 'This', 'options[1].text': 'That', correct: '0' }
  for (const [title, time] of [
    ['One', { when: 'date', date: '2032-02-10', time: '12:00' }],
    ['Two', { when: 'after_start', days: '3' }],
    ['Three', { when: 'after_previous', days: '1' }],
  ] as const)
    curl(`${schedule}/lifts/new`, { ...message, ...question, ...time, title, body: `About ${title}` })
  const page = curl(schedule).html
  expect(page.match(/data-lift="/g)).toHaveLength(3)

  for (const person of ['Lena', 'Ravi']) {
    const adding = curl(`${journey}/people/add?people=${person}`).html
    const user_ids = find(adding, /name="user_ids" value="(\d+)"/)
    const added = curl(`${journey}/people/add`, { intent: 'add-members', user_ids }).html
    const member = find(added, new RegExp(`people/(\\d+)"[^>]*>Edit<span class="hidden-words"> ${person}`))
    curl(`${journey}/people/${member}`, {
      role: 'learner',
      sponsor: 'tess@testing.example',
    })
  }
  const people = curl(`${journey}/people`).html
  expect(people.match(/sponsor: Tess/g)).toHaveLength(2)

  const preview = curl(`${schedule}/preview`).html
  for (const [person, zone] of [
    ['Lena Hoffmann', 'Europe/Berlin'],
    ['Ravi Menon', 'Asia/Kolkata'],
  ]) {
    const user = find(preview, new RegExp(`<option value="(\\d+)"[^>]*>${person}`))
    expect(curl(`${schedule}/preview?user=${user}`).html).toContain(`Feb 10, 2032, 12:00 PM (${zone})`)
  }

  expect(curl(`${schedule}/launch`).html).toContain('2 learners will take part.')
  const launched = curl(`${schedule}/launch`, {
    expected_recipients: '2',
    skip_past: 'false',
    send_now: 'true',
  }).html
  expect(launched).toContain('Journey launched')

  const lift = find(page, /data-lift="(\d+)"/)
  const editor = curl(`${journey}/lifts/${lift}`).html
  const edit = {
    ...message,
    title: 'One',
    when: 'date',
    date: '2032-03-02',
    time: '12:00',
    lock_version: find(editor, /name="lock_version"[^>]*value="(\d+)"/),
  }
  const asked = curl(`${journey}/lifts/${lift}`, edit).html
  expect(asked.replace(/<[^>]+>/g, '')).toContain('2 messages move to another time')
  const confirmed = find(asked, /name="confirmed" value="([^"]+)"/)
  expect(curl(`${journey}/lifts/${lift}`, { ...edit, confirmed }).html).toContain(
    'Mar 2, 2032</time> at 12:00 PM',
  )
})
