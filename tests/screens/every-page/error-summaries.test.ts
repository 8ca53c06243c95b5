/** Every form lists its errors in one place, each with a link to its field: without JavaScript. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listedJourney } from '#tests/support/listed-journey.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let site: Site
const visitors = new Map<string, Visitor>()
const things: Record<string, string> = {}
beforeAll(async () => {
  site = await openSite()
  for (const [name, email] of [
    ['adam', 'adam@northwind.example'],
    ['sofia', 'sofia@liftwell.example'],
    ['uri', 'uri@northwind.example'],
  ] as const)
    visitors.set(name, await site.visitor(email))
  things.user = await first('adam', '/users', /\/users\/edit\/(\d+)/)
  things.tenant = await first('sofia', '/tenants', /\/tenants\/edit\/([0-9a-f-]{36})/)
  things.part = await first('adam', '/subtenants', /\/subtenants\/([0-9a-f-]{36})\/edit/)
  things.journey = listedJourney(await page('adam', '/lljs/manage?status=draft'))
  things.lift = await first('adam', `/lljs/${things.journey}/schedule`, /\/lift\/t\/(\d+)/)
  await visitors.get('uri')?.submit('/settings/contact', {
    ...{ intent: 'request', kind: 'phone', dial_code: '+31', phone_number: '06 1234 5670' },
    password: site.accounts.find(({ email }) => email === 'uri@northwind.example')?.password ?? '',
  })
})
afterAll(() => site?.close())

const page = async (who: string, path: string): Promise<string> =>
  (await (await visitors.get(who)?.visit(path))?.text()) ?? ''

const first = async (who: string, path: string, pattern: RegExp): Promise<string> =>
  pattern.exec(await page(who, path))?.[1] ?? ''

type Wrong = [who: string, path: string, fields: Record<string, string>]
const FORMS: Wrong[] = [
  ['adam', '/users/add', { first_name: '', email: 'x' }],
  [
    'adam',
    '/users/edit/{user}',
    { first_name: '', email: 'a@b.example', 'user_general_roles[0].role': 'user' },
  ],
  ['adam', '/users/import', { intent: 'check' }],
  ['uri', '/settings/profile', { first_name: '' }],
  ['uri', '/settings/contact', { intent: 'request', kind: 'email', value: 'x', password: 'x' }],
  ['uri', '/settings/contact', { intent: 'request', kind: 'email', value: 'new@uri.example' }],
  ['uri', '/settings/contact', { intent: 'request', kind: 'phone', phone_number: 'call me' }],
  ['uri', '/settings/contact', { intent: 'confirm', kind: 'phone', code: 'x' }],
  ['uri', '/settings/security', { preferred: 'none' }],
  ['uri', '/settings/security', { preferred: 'new_app', password: 'x' }],
  ['uri', '/settings/security/password', { password: 'x' }],
  ['adam', '/settings/company', { name: '', lock_version: '0' }],
  ['adam', '/subtenants/add', { name: '' }],
  ['adam', '/subtenants/{part}/edit', { name: '' }],
  ['sofia', '/tenants/add', { name: '' }],
  ['sofia', '/tenants/edit/{tenant}', { name: '' }],
  [
    ...(['sofia', '/tenants/{tenant}/sign-in'] as const),
    {
      kind: 'oidc',
      issuer: 'x',
      client_id: '',
      authorization_endpoint: 'x',
      token_endpoint: '',
      jwks_uri: '',
    },
  ],
  ['sofia', '/switch', { place: '' }],
  ['sofia', '/switch', { reason: '' }],
  ['adam', '/lljs/manage/new', { name: '' }],
  ['adam', '/lljs/{journey}/details', { name: '', lock_version: '0' }],
  ['adam', '/lljs/{journey}/schedule/lifts/new', { title: '', when: 'date', est_minutes: 'x', sms_text: '' }],
  ['adam', '/lljs/{journey}/lifts/{lift}', { title: '', when: 'after_lift', closes_after_hours: 'x' }],
  ['adam', '/lljs/{journey}/lifts/{lift}/prompts/scale', { kind: 'scale', text: '', min: 'x' }],
  ['adam', '/lljs/{journey}/lifts/{lift}/prompts/single_choice', { kind: 'single_choice', text: '' }],
  ['adam', '/lljs/{journey}/lifts/{lift}/blocks/video', { kind: 'video', href: 'x', lock_version: '0' }],
  ['adam', '/lljs/{journey}/lifts/{lift}/test', { phones: 'x' }],
  ['adam', '/lljs/{journey}/objectives', { code: '', text: '', target_level: 'x' }],
  ['adam', '/lljs/{journey}/assessments/new', { title: '' }],
  ['adam', '/lljs/manage/{journey}/duplicate', { name: '' }],
  ['adam', '/users/groups', { name: '' }],
  ['adam', '/settings/company/keys/new', { name: '', expires_in_days: 'x' }],
]

it.each(FORMS)(
  'a form lists its errors in the order of its fields, with links to them: %s at %s with %j',
  async (who, pattern, fields) => {
    const path = pattern.replace(/\{(\w+)\}/g, (_, name) => things[name] ?? '')
    const answer = await visitors.get(who)?.submit(path, await filled(who, path, fields))
    const page = (await answer?.text()) ?? ''
    expect([400, 409, 422]).toContain(answer?.status)
    const summary = /<div class="form-errors" role="alert".*?<\/ul>/s.exec(page)?.[0] ?? ''
    const links = [...summary.matchAll(/href="#([^"]+)">(.*?)<\/a>/g)]
    expect(links).not.toEqual([])
    const places = links.map(([, id]) => [page.indexOf(` id="${id}"`), id])
    expect(places).toEqual(places.toSorted(([one], [other]) => Number(one) - Number(other)))
    for (const [, id = '', words = ''] of links) {
      const name = plain(words).split(': ')[0] ?? ''
      // A label can be longer than the name of the field, and shorter in a group.
      const label = labelOf(page, id) ?? 'no label'
      const isNamed = label.startsWith(name) || name.endsWith(`, ${label.toLowerCase()}`)
      expect({ id, name, label, isNamed }).toEqual({ id, name, label, isNamed: true })
    }
  },
)

/** What a browser sends: the fields of the form on the page, in its order, those to type in empty except for those given. */
async function filled(who: string, path: string, given: Record<string, string>) {
  const forms = [...(await page(who, path)).matchAll(/<form[^>]*method="post"[^>]*>(.*?)<\/form>/gs)]
  const asked = Object.keys(given).filter((name) => name !== 'intent')
  const [form = ''] = forms.find(([one]) => asked.every((name) => one.includes(` name="${name}"`))) ?? []
  const sent = [...form.matchAll(/<(?:input|textarea|select)[^>]* name="([^"]+)"[^>]*>/g)].flatMap(
    ([tag, name = '']) => {
      if (/type="(?:hidden|file)"/.test(tag) && !(name in given)) return []
      if (name in given || !/type="(?:checkbox|radio)"/.test(tag)) return [[name, '']]
      return / checked=/.test(tag) ? [[name, / value="([^"]*)"/.exec(tag)?.[1] ?? 'on']] : []
    },
  )
  return { ...Object.fromEntries(sent), ...given }
}

const plain = (html: string) =>
  html
    .replace(/<!--.*?-->|<span class="(?:required-mark|field-counter)".*?<\/span>|<[^>]*>/gs, '')
    .replace(/\s+/g, ' ')
    .trim()

/** The label of the field or group with this id; undefined if there is none. */
function labelOf(page: string, id: string): string | undefined {
  const labels = page.matchAll(/<label[^>]* for="([^"]*)"[^>]*>(.*?)<\/label>/gs)
  const groups = page.matchAll(/<fieldset[^>]* id="([^"]*)"[^>]*>.*?<legend[^>]*>(.*?)<\/legend>/gs)
  const words = [...labels, ...groups].find(([, of]) => of === id)?.[2]
  return words === undefined ? undefined : plain(words)
}
