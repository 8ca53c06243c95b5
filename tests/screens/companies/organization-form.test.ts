/** The forms of tenants, sub-tenants and people show, field by field, what another person saved in the meantime. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { offersOf } from '#tests/screens/every-page/page-controls.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let site: Site
let people: Record<'sofia' | 'adam' | 'eva', Visitor>
let tenant = ''
let europe = ''

beforeAll(async () => {
  site = await openSite()
  const sofia = await site.visitor('sofia@liftwell.example')
  const adam = await site.visitor('adam@northwind.example')
  const eva = await site.visitor('eva@northwind.example')
  people = { sofia, adam, eva }
  tenant = await hrefOf(sofia, '/tenants?q=Northwind', /\/tenants\/edit\/[0-9a-f-]{36}/)
  europe = await hrefOf(adam, '/subtenants?q=Europe', /\/subtenants\/[0-9a-f-]{36}\/edit/)
  await eva.submit('/subtenants', { sub_tenant_id: europe.split('/')[2] ?? '' })
})
afterAll(() => site?.close())

const html = async (visitor: Visitor, path: string) => (await visitor.visit(path)).text()
const hrefOf = async (visitor: Visitor, path: string, pattern: RegExp) =>
  pattern.exec(await html(visitor, path))?.[0] ?? ''

/** The fields that a browser would send of the form on the page. */
const fieldsOf = async (visitor: Visitor, path: string, version?: string) =>
  fieldsIn(await html(visitor, path), path, version)
function fieldsIn(page: string, path: string, version = 'lock_version'): Record<string, string> {
  const form = offersOf(page, path).find(
    (offer) => offer.kind === 'form' && offer.fields.some(([name]) => name === version),
  )
  return form?.kind === 'form' ? Object.fromEntries(form.fields) : {}
}

/** The rows of the table that compares both versions. */
const compared = (page: string): string[] =>
  [...(/<section class="saved-meanwhile".*?<\/table>/s.exec(page)?.[0] ?? '').matchAll(/<tr>.*?<\/tr>/gs)]
    .slice(1)
    .map(([row]) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => cell).join(' | '))

const HOURS = { 'quiet_hours.from': '19:00', 'quiet_hours.to': '10:00' }

it.each([
  ['sofia', (): string => tenant, { plan: 'Theirs' }, { plan: 'Mine' }, ['Plan | Theirs | Mine']],
  [
    'adam',
    (): string => '/settings/company',
    { ...HOURS, authors_may_create_drafts: 'on', daily_message_cap: '70' },
    { 'quiet_hours.from': '18:00', categories: 'One\r\nTwo' },
    [
      'Categories | One | One\nTwo',
      'Quiet hours | 7:00 PM to 10:00 AM | 6:00 PM to 9:00 AM',
      'Daily message limit | 70 | –',
      'Authors can create drafts | Yes | No',
    ],
  ],
  [
    'adam',
    (): string => europe,
    { timezone: 'Europe/Paris', authors_may_create_drafts: 'yes' },
    { 'quiet_hours.of': 'own', ...HOURS },
    [
      'Time zone | Europe/Paris | Europe/Amsterdam',
      'Quiet hours | The same as the company | 7:00 PM to 10:00 AM',
      'Authors can create drafts | Yes | The same as the company',
    ],
  ],
  [
    'eva',
    (): string => '/settings/company',
    { timezone: 'Europe/Madrid' },
    { name: 'Ours' },
    ['Name | Northwind Europe | Ours', 'Time zone | Europe/Madrid | Europe/Paris'],
  ],
] as const)(
  '%s sees both versions when another person saved first',
  async (who, pathOf, theirs, mine, differences) => {
    const visitor = people[who]
    const path = pathOf()
    const categories = who === 'sofia' ? 'llj_categories' : 'categories'
    const seen = { ...(await fieldsOf(visitor, path)), [categories]: 'One' }
    const saved = await visitor.submit(path, { ...seen, ...theirs })
    expect(saved.status).toBe(302)
    expect(await versionAfterMistake(visitor, path, { ...seen, ...mine, name: '' })).toBe(seen.lock_version)
    const late = await visitor.submit(path, { ...seen, ...mine })
    expect(late.status).toBe(409)
    expect(compared(await late.text())).toEqual(differences)
  },
)

/** Correcting an error first does not turn the form into one of the stored version. */
async function versionAfterMistake(visitor: Visitor, path: string, fields: Record<string, string>) {
  const wrong = await visitor.submit(path, fields)
  expect(wrong.status).toBe(400)
  return fieldsIn(await wrong.text(), path).lock_version
}

it.each([
  [
    '/users/edit/5',
    { 'user_general_roles[1].role': 'author' },
    [
      'Roles | Admin in Northwind Europe, Author in Northwind Americas | Admin in Northwind Americas, Admin in Northwind Europe',
    ],
  ],
  ['/settings/profile', {}, []],
] as const)('both versions of %s are shown', async (path, theirs, more) => {
  const seen = await fieldsOf(people.adam, path)
  const save = (job_title: string, others = {}) => people.adam.submit(path, { ...seen, job_title, ...others })
  expect((await save('Theirs', theirs)).status).toBe(302)
  const wrong = { ...seen, job_title: 'Mine', first_name: '' }
  expect(await versionAfterMistake(people.adam, path, wrong)).toBe(seen.lock_version)
  const late = await save('Mine')
  expect([late.status, compared(await late.text())]).toEqual([409, ['Job title | Theirs | Mine', ...more]])
})

type Typed = Record<string, string>
it.each<[() => string, Typed, Typed, Typed, string[]]>([
  [
    () => `${tenant}/sign-in`,
    { domains: 'theirs.test' },
    { domains: 'mine.test' },
    { domains: '?' },
    ['Domains of its addresses | theirs.test | mine.test'],
  ],
  [
    () => '/tenants/shared-sign-in',
    { 'password_policy.min_length': '10', 'password_policy.require_numbers': 'on' },
    { reveals_users: 'on' },
    { 'password_policy.min_length': '1' },
    ['Say when an address has no account | No | Yes', 'Passwords | at least 10, numbers | at least 8'],
  ],
])('sofia sees both versions of a sign-in when another super admin saved first', async (pathOf, ...saves) => {
  const [theirs, mine, mistake, differences] = saves
  const path = pathOf().replace('/edit/', '/')
  const seen = await fieldsOf(people.sofia, path, 'version')
  expect((await people.sofia.submit(path, { ...seen, ...theirs })).status).toBe(302)
  const wrong = await people.sofia.submit(path, { ...seen, ...mistake })
  expect([wrong.status, fieldsIn(await wrong.text(), path, 'version').version]).toEqual([400, seen.version])
  const late = await people.sofia.submit(path, { ...seen, ...mine })
  const page = await late.text()
  expect([late.status, compared(page)]).toEqual([409, differences])
  const again = { ...seen, ...mine, version: fieldsIn(page, path, 'version').version ?? '' }
  expect((await people.sofia.submit(path, again)).status).toBe(302)
})

it.each([
  ['sofia', (): string => tenant],
  ['adam', (): string => '/settings/company'],
  ['adam', (): string => europe],
  ['eva', (): string => '/settings/company'],
] as const)('%s cannot save a web address as a name, which mails would show as a link', async (who, path) => {
  const form = await fieldsOf(people[who], path())
  const answer = await people[who].submit(path(), { ...form, name: 'Win at https://evil.example' })
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('Please use a name, not a web address'),
  ])
})
