/** Right-to-left names and titles do not reorder the text around them, and are unchanged in files. */
import { parse } from 'csv-parse/sync'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { html } from '#tests/screens/journeys/authoring-world.ts'
import { listedJourney } from '#tests/support/listed-journey.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

const NAME = 'ليلى الحداد'
const LIFT = 'الاستماع أولا'
const JOURNEY = 'קודם מקשיבים'
const QUESTION = 'ماذا ستفعل؟'
const OPTION = 'أستمع'

let site: Site
let admin: pg.Client
let adam: Visitor
let journey = ''
let lift = ''
let learner = ''
beforeAll(async () => {
  site = await openSite()
  admin = await site.connectAdmin()
  adam = await site.visitor('adam@northwind.example')
  journey = listedJourney(await html(adam, '/lljs/manage?status=active'))
  const { rows } = await admin.query(
    `select p.lift_id, r.member_id, m.user_id from prompts p join responses r on r.prompt_id = p.id
     join members m on m.id = r.member_id join lifts l on l.id = p.lift_id
     where l.journey_id = $1 and p.kind = 'single_choice' and not m.exclude_data order by p.id, r.id limit 1`,
    [journey],
  )
  lift = String(rows[0]?.lift_id ?? '')
  learner = String(rows[0]?.user_id ?? '')
  const [first, last] = NAME.split(' ')
  await admin.query('update users set first_name = $1, last_name = $2 where id = $3', [first, last, learner])
  await admin.query('update lifts set title = $1 where id = $2', [LIFT, lift])
  await admin.query('update journeys set name = $1 where id = $2', [JOURNEY, journey])
  await admin.query(
    `update prompts set text = $1, options = (select jsonb_agg(o || jsonb_build_object('text', $2::text)) from jsonb_array_elements(options) o)
     where lift_id = $3 and kind = 'single_choice'`,
    [QUESTION, OPTION, lift],
  )
}, 120_000)
afterAll(() => site?.close())

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/
const ISOLATED = /\u2068[^\u2068\u2069]*\u2069/g
/** Elements that isolate their text from its surroundings. */
const APART = /^(bdi|h1|h2|h3|td|th|li|p|dt|dd|option|title)\b/

/** Right-to-left texts among other words without isolation. */
function amongOthers(page: string): string[] {
  const body = page.replaceAll(/<script[\s\S]*?<\/script>/g, '').replaceAll('<!-- -->', '')
  const left = (words: string) => words.replaceAll(ISOLATED, '').replaceAll(/&[a-z0-9#]+;/g, '')
  const attributes = [...body.matchAll(/ (title|aria-label|placeholder)="([^"]*)"/g)].map(
    ([, , words = '']) => words,
  )
  // A message is shown exactly as it is sent.
  const texts = [...body.matchAll(/<(?!p class="phone-message")(\/?[a-z0-9]+[^>]*)>([^<]+)/g)]
  return [
    ...attributes.filter((words) => RIGHT_TO_LEFT.test(left(words)) && /[a-z0-9]/i.test(left(words))),
    ...texts.flatMap(([all, tag = '', words = '']) => {
      const rest = left(words)
      const isAlone = !/[a-z0-9]/i.test(rest) && (APART.test(tag) || tag.includes('dir="auto"'))
      return RIGHT_TO_LEFT.test(rest) && !isAlone ? [all] : []
    }),
  ]
}

it('Reports isolate right-to-left texts from the words and figures beside them', async () => {
  const pages = [
    `/analytics?journey=${journey}`,
    `/analytics?type=by_user&journey=${journey}`,
    `/analytics?type=by_user&user=${learner}&journey=${journey}`,
    `/analytics?type=by_lift&journey=${journey}`,
    `/analytics?type=by_lift&journey=${journey}&lift=${lift}`,
    `/analytics/explain?figure=response&journey=${journey}`,
    `/analytics/explain?figure=completion&outcome=no&journey=${journey}&lift=${lift}`,
    `/analytics/report?journey=${journey}`,
    '/analytics/assessments',
    '/analytics/exports',
    '/',
    `/lljs/${journey}/schedule`,
    `/lljs/${journey}/people`,
    `/lljs/${journey}/learner`,
    `/lift/t/${lift}`,
  ]
  const found: Record<string, string[]> = {}
  for (const path of pages) {
    const page = await html(adam, path)
    if (path.includes('journey')) expect([path, RIGHT_TO_LEFT.test(page)]).toEqual([path, true])
    const mixed = amongOthers(page)
    if (mixed.length > 0) found[path] = [...new Set(mixed)]
  }
  expect(found).toEqual({})
})

it('Lists and questions isolate right-to-left texts from the words beside them', async () => {
  const asked = [
    ['adam', '/lljs/manage'],
    ['adam', `/lljs/manage/${journey}/details`],
    ['adam', `/lljs/manage/${journey}/duplicate`],
    ['adam', `/lljs/manage/${journey}/author`],
    ['adam', `/lljs/manage/${journey}/archive`],
    ['adam', `/lljs/${journey}/schedule/pause`],
    ['adam', `/lljs/${journey}/schedule/complete`],
    ['adam', `/lljs/${journey}/schedule/preview`],
    ['adam', `/lljs/${journey}/schedule/lifts/new`],
    ['adam', `/lljs/${journey}/people/add`],
    ['adam', `/lljs/${journey}/people/import`],
    ['adam', `/lljs/${journey}/objectives`],
    ['adam', `/lljs/${journey}/assessments`],
    ['adam', `/lljs/${journey}/assessments/new`],
    ['adam', `/lljs/${journey}/assessments/${learner}`],
    ['adam', `/lljs/${journey}/lifts/${lift}`],
    ['adam', `/lljs/${journey}/lifts/${lift}/test`],
    ['adam', `/lljs/${journey}/lifts/${lift}/send`],
    ['adam', `/lljs/${journey}/lifts/${lift}/remind`],
    ['adam', `/lljs/${journey}/lifts/${lift}/delete`],
    ['adam', '/users'],
    ['adam', `/users?ask=deactivate&user_ids=${learner}&user_ids=4`],
    ['adam', `/users/edit/${learner}`],
    ['adam', `/users/edit/${learner}?ask=delete`],
    ['adam', '/users/groups'],
    ['adam', '/messages/unconfirmed'],
    ['adam', '/settings/audit'],
    ['adam', '/notifications'],
    ['uri', '/'],
    ['uri', '/learner'],
    ['uri', '/todo'],
    ['uri', `/lljs/${journey}/learner`],
    ['uri', `/lift/${lift}`],
    ['sam', '/'],
    ['sam', '/sponsors-journey'],
    ['sam', `/sponsors-journey/${journey}`],
    ['aya', '/'],
  ] as const
  const people: Record<string, Visitor> = {}
  const found: Record<string, string[]> = {}
  for (const [who, path] of asked) {
    people[who] ??= await site.visitor(`${who}@northwind.example`)
    const visitor = people[who]
    const page = await html(visitor, path)
    const mixed = amongOthers(page)
    if (mixed.length > 0) found[`${who} ${path}`] = [...new Set(mixed)]
  }
  expect(found).toEqual({})
}, 60_000)

it('Charts show right-to-left texts in full, and isolated', async () => {
  const apart = (words: string) => `\u2068${words}\u2069`
  const map = await html(adam, `/analytics?journey=${journey}`)
  expect(map).toMatch(new RegExp(`title="${apart(NAME)}, ${apart(LIFT)}: (Completed|Answered|Opened)"`))
  const spread = await html(adam, `/analytics?type=by_lift&journey=${journey}&lift=${lift}`)
  expect(spread).toMatch(new RegExp(`<title>(✓ )?${apart(`(✓ )?${OPTION}`)}: \\d`))
  expect(spread).toMatch(new RegExp(`<text class="chart-words"[^>]*>${apart(`(✓ )?${OPTION}`)}</text>`))
})

it('Files contain right-to-left texts as they were written, without marks of ours', async () => {
  const page = await html(
    adam,
    `/analytics/explain?figure=completion&journey=${journey}&user=${learner}&lift=${lift}`,
  )
  const [, form = ''] = page.split('action="/analytics/exports"')
  const hidden = [
    ...(form.split('</form>')[0] ?? '').matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g),
  ]
  const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]))
  await adam.submit('/analytics/exports', { ...fields, table: 'explain', format: 'csv' })
  const file = () =>
    html(adam, '/analytics/exports').then(
      (list) => /href="(\/analytics\/exports\/[0-9a-f-]{36}\/file)"/.exec(list)?.[1],
    )
  await expect.poll(file, { timeout: 20_000 }).toBeTruthy()
  const text = await (await adam.visit((await file()) ?? '')).text()
  const [row] = parse(text, { bom: true, columns: true }) as Record<string, string>[]
  expect(row).toMatchObject({ Learner: NAME, Journey: JOURNEY, Lift: LIFT })
  expect(text).not.toMatch(/[\u2066-\u2069\u202a-\u202e]/)
})
