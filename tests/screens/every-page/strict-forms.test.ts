/** A field that a form does not have is refused with a sentence, never silently dropped. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beside, html, openAuthoring } from '#tests/screens/journeys/authoring-world.ts'
import { arrive } from '#tests/screens/sign-in/sign-in-world.ts'
import { shown } from '#tests/support/shown.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
beforeAll(async () => {
  world = await openAuthoring()
})
afterAll(() => world?.site.close())

const WHY = 'This form has no field “is_super_admin”.'
type Sent = { path: string; intent?: string }

async function refusals(visitor: Awaited<ReturnType<typeof arrive>>['visitor'], forms: readonly Sent[]) {
  const found: string[] = []
  for (const { path, intent } of forms) {
    const fields = { ...(intent && { intent }), is_super_admin: 'true' }
    const answer = await visitor.submit(path, fields)
    const isSaid = shown(await answer.text()).includes(WHY)
    if (answer.status !== 400 || !isSaid) found.push(`${path} ${intent ?? ''}: ${answer.status}`)
  }
  return found
}

it('forms of journeys and groups refuse an unknown field, and name it', async () => {
  const { adam, draft, addLearner } = world
  const { id, schedule, lifts } = await draft('Strict', [{ title: 'One', when: 'launch' }])
  await addLearner(schedule, 'uri')
  const people = await html(adam, beside(schedule, 'people'))
  const [, member = ''] = /\/people\/(\d+)/.exec(people) ?? []
  const forms: Sent[] = [
    { path: '/lljs/manage/new' },
    { path: `/lljs/manage/${id}/details` },
    { path: `/lljs/manage/${id}/duplicate` },
    { path: `/lljs/manage/${id}/author` },
    { path: `${schedule}/lifts/new` },
    { path: beside(schedule, `lifts/${lifts[0]}`) },
    { path: `/lljs/${id}/details` },
    { path: beside(schedule, 'objectives') },
    { path: beside(schedule, `lifts/${lifts[0]}/blocks/text`) },
    { path: beside(schedule, `lifts/${lifts[0]}/prompts/single_choice`) },
    { path: beside(schedule, `people/${member}`) },
    { path: `/lljs/${id}/people/add`, intent: 'add-group' },
    { path: '/users/groups' },
  ]
  expect(await refusals(adam, forms)).toEqual([])
})

it('forms about signing in refuse an unknown field, and name it', async () => {
  const { site, adam } = world
  const security = '/settings/security'
  const password = site.accounts.find(({ email }) => email === 'adam@northwind.example')?.password ?? ''
  await adam.submit(security, { preferred: 'new_app', password })
  const own = ['', '/app', '/password'].map((page) => ({ path: `${security}${page}` }))
  expect(await refusals(adam, own)).toEqual([])

  const sofia = await site.visitor('sofia@liftwell.example')
  const [, tenant] =
    /\/tenants\/edit\/([0-9a-f-]{36})/.exec(await (await sofia.visit('/tenants')).text()) ?? []
  expect(await refusals(sofia, [{ path: `/tenants/${tenant}/sign-in` }])).toEqual([])

  const { visitor } = await arrive(site, 'uri@northwind.example')
  const screens: Sent[] = [{ path: '/login' }, { path: '/login/signIn' }]
  expect(await refusals(visitor, screens)).toEqual([])
})
