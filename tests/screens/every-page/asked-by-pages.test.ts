/** Each page makes a limited number of statements, in at most two transactions, all of them prepared. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withAdmin } from '#tests/support/postgres.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { type Sent, watchQueries } from '#tests/support/watch-queries.ts'

/** The goal; pages above it are listed below with their numbers. */
const MAX = 8
const MAX_TRANSACTIONS = 2
/** A statement is prepared at its third use, on any connection: at the visit after these. */
const VISITS_BEFORE = 2
const SETTLED_MS = 100

const sent = watchQueries()
let site: Site
let ids: Record<string, number | string>
const visitors = new Map<string, Visitor>()

beforeAll(async () => {
  site = await openSite()
  const { rows } = await withAdmin(site.adminUrl, (admin) =>
    admin.query(`select j.tenant_id as tenant, j.id::int as journey, min(l.id)::int as lift,
        (select min(m.user_id)::int from members m
          where m.tenant_id = j.tenant_id and m.journey_id = j.id and m.role = 'learner') as learner,
        (select min(m.user_id)::int from members m
          join members s on s.tenant_id = m.tenant_id and s.id = m.sponsor_id join users u on u.id = s.user_id
          where m.tenant_id = j.tenant_id and m.journey_id = j.id and u.email = 'sam@northwind.example') as sponsored,
        (select min(g.id)::int from user_groups g where g.tenant_id = j.tenant_id) as "group",
        (select min(d.id)::int from journeys d where d.tenant_id = j.tenant_id and d.status = 'draft') as draft,
        (select min(d.id)::int from journeys d join tenants t on t.id = d.tenant_id
          where t.is_testing and d.status = 'draft') as "first",
        (select s.id from sub_tenants s where s.tenant_id = j.tenant_id order by s.name limit 1) as "subTenant"
      from journeys j join lifts l on l.tenant_id = j.tenant_id and l.journey_id = j.id
        join users a on a.id = j.author_id
      where j.status = 'active' and a.email = 'aya@northwind.example'
      group by j.tenant_id, j.id order by count(*) desc, j.id limit 1`),
  )
  ids = { ...rows[0], yesterday: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10) }
})
afterAll(() => site?.close())

const TRANSACTION = /^(begin|start transaction|commit|rollback)/
const isOpening = ({ text }: Sent) => /^(begin|start transaction)/.test(text)

/** Eva looks after a sub-tenant; a super admin is outside every company, or visits one. */
async function comeIn(who: string): Promise<Visitor> {
  const [name = ''] = who.split(' ')
  const visitor = await site.visitor(`${name}@${name === 'sofia' ? 'liftwell' : 'northwind'}.example`)
  if (who === 'eva') await choose('/subtenants', 'sub_tenant_id', /name="sub_tenant_id" value="([^"]*)"/)
  if (who === 'sofia visiting') await choose('/switch', 'place', /value="([^"]*)"(?:(?!<label).)*Northwind/s)
  if (who === 'sofia testing')
    await choose('/switch', 'place', /value="([^"]*)"(?:(?!<label).)*Liftwell Testing/s)
  if (who === 'adam learning') await letLearnAndSponsor()
  return visitor

  /** Puts Adam in place of a learner of one journey and of a sponsor of another. */
  async function letLearnAndSponsor() {
    await withAdmin(site.adminUrl, (admin) =>
      admin.query(`with adam as (select tenant_id, id from users where email = 'adam@northwind.example'),
          sponsor as (select m.id, m.journey_id from members m join adam a on a.tenant_id = m.tenant_id
            where exists (select from members l where l.tenant_id = m.tenant_id and l.sponsor_id = m.id) limit 1),
          learner as (select m.id from members m join adam a on a.tenant_id = m.tenant_id
            join journeys j on j.id = m.journey_id and j.status = 'active'
            where m.role = 'learner' and m.journey_id not in (select journey_id from sponsor) limit 1)
        update members set user_id = adam.id from adam where members.id in (select id from sponsor union select id from learner)`),
    )
  }

  async function choose(path: string, name: string, offered: RegExp) {
    const [, value = ''] = offered.exec(await (await visitor.visit(path)).text()) ?? []
    await visitor.submit(path, { [name]: value, reason: 'To see all of it' })
  }
}

async function askedBy(who: string, path: string) {
  const visitor = visitors.get(who) ?? (await comeIn(who))
  visitors.set(who, visitor)
  for (let visit = 0; visit < VISITS_BEFORE; visit++) await visitor.visit(path)
  await sleep(SETTLED_MS)
  sent.length = 0
  const { status } = await visitor.visit(path)
  await sleep(SETTLED_MS)
  const statements = sent.filter(({ text }) => !TRANSACTION.test(text))
  return {
    status,
    statements: statements.length,
    transactions: sent.filter(isOpening).length,
    // The few statements of the identity provider have no names.
    parsed_anew: statements
      .filter(({ isAnew, text }) => isAnew && !text.includes('identity.'))
      .map(({ text }) => text.slice(0, 120)),
  }
}

it.each<[who: string, path: string, most?: number]>([
  ['aya', '/'],
  ['aya', '/lljs/manage'],
  ['aya', '/lljs/{journey}/details'],
  ['aya', '/lljs/{journey}/objectives'],
  ['aya', '/analytics'],
  ['aya', '/analytics?type=by_lift'],
  ['aya', '/analytics?type=by_lift&journey={journey}'],
  ['aya', '/analytics?type=by_user'],
  ['aya', '/analytics?type=by_user&user={learner}'],
  ['aya', '/analytics?journey={journey}'],
  ['aya', '/analytics?as_of={yesterday}'],
  ['aya', '/analytics?type=by_lift&journey={journey}&lift={lift}', 9],
  ['aya', '/analytics/assessments'],
  ['aya', '/analytics/explain?figure=response'],
  ['aya', '/analytics/exports'],
  ['aya', '/analytics/report?journey={journey}', 13],
  ['aya', '/notifications'],
  ['aya', '/messages/unconfirmed'],
  ['aya', '/lljs/{journey}/schedule'],
  ['aya', '/lljs/{draft}/schedule', 9],
  ['aya', '/lljs/{journey}/people'],
  ['aya', '/lljs/{journey}/assessments/'],
  ['aya', '/lljs/{journey}/assessments/new'],
  ['aya', '/lljs/{journey}/assessments/{learner}'],
  ['aya', '/lljs/{journey}/lifts/{lift}'],
  ['aya', '/lljs/{journey}/lifts/{lift}/send'],
  ['aya', '/lljs/{journey}/lifts/{lift}/remind'],
  ['aya', '/lljs/{journey}/lifts/{lift}/delete', 11],
  ['aya', '/lljs/{journey}/schedule/lifts/new'],
  ['aya', '/lljs/{journey}/schedule/preview', 9],
  ['aya', '/lljs/{journey}/schedule/preview?what_if=true', 13],
  ['aya', '/lljs/{journey}/people/add'],
  ['aya', '/lljs/manage/{draft}/delete'],
  ['aya', '/lljs/manage/{draft}/archive'],
  ['aya', '/lljs/manage/new'],
  ['aya', '/lljs/manage/{journey}/details'],
  ['aya', '/lljs/{journey}/people/import'],
  ['aya', '/lljs/{journey}/lifts/{lift}/test'],
  ['aya', '/settings/contact'],
  ['aya', '/settings/security'],
  ['aya', '/settings/security/password'],
  ['aya', '/settings/sessions'],
  ['aya', '/settings/profile'],
  ['aya', '/lljs/{journey}/learner', 12],
  ['adam', '/'],
  ['adam', '/users'],
  ['adam', '/users/edit/{learner}'],
  ['adam', '/users/add'],
  ['adam', '/users/import'],
  ['adam', '/users/groups'],
  ['adam', '/users/groups/{group}'],
  ['adam', '/subtenants'],
  ['adam', '/settings/company'],
  ['adam', '/subtenants/deleted'],
  ['adam', '/subtenants/{subTenant}/edit'],
  ['adam', '/settings/audit'],
  ['adam', '/settings/messages'],
  ['adam', '/settings/company/keys'],
  ['adam', '/lljs/manage/{journey}/author'],
  ['eva', '/lljs/manage'],
  ['eva', '/settings/privacy'],
  ['sofia', '/tenants'],
  ['sofia', '/tenants/shared-sign-in'],
  ['sofia', '/tenants/audit'],
  ['sofia', '/tenants/{tenant}/sign-in'],
  ['sofia', '/tenants/{tenant}/subtenants'],
  ['sofia', '/tenants/{tenant}/subtenants/add'],
  ['sofia', '/tenants/{tenant}/subtenants/deleted'],
  ['sofia', '/tenants/{tenant}/subtenants/{subTenant}/edit'],
  ['sofia', '/tenants/edit/{tenant}'],
  ['sofia visiting', '/'],
  ['sofia visiting', '/users'],
  ['sofia visiting', '/users/groups/{group}/add'],
  ['sofia visiting', '/lljs/manage', 9],
  ['sofia visiting', '/lljs/{journey}/schedule'],
  ['sofia visiting', '/lljs/{journey}/lifts/{lift}'],
  ['sofia visiting', '/lljs/{journey}/people/add', 9],
  ['sofia visiting', '/analytics'],
  ['sofia visiting', '/settings/company'],
  ['sofia testing', '/lljs/{first}/schedule', 10],
  ['sofia testing', '/lljs/{first}/schedule/launch', 17],
  ['sofia testing', '/testing', 9],
  ['sofia testing', '/testing/messages'],
  ['uri', '/'],
  ['uri', '/learner'],
  ['uri', '/todo'],
  ['uri', '/settings/privacy'],
  ['uri', '/settings/privacy/mails'],
  ['uri', '/lift/{lift}'],
  ['uri', '/settings/contact/remove'],
  ['sam', '/'],
  ['sam', '/learner'],
  ['sam', '/sponsors-journey'],
  ['sam', '/sponsors-journey/{journey}'],
  ['sam', '/sponsors-journey/{journey}?learner={sponsored}', 9],
  ['adam learning', '/', 10],
])('a page makes few statements, all of them prepared: %s %s', async (who, template, most = MAX) => {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => String(ids[name]))
  const { status, statements, transactions, parsed_anew } = await askedBy(who, path)
  expect({ status, parsed_anew }).toEqual({ status: 200, parsed_anew: [] })
  expect(statements).toBeLessThanOrEqual(most)
  expect(transactions).toBeLessThanOrEqual(MAX_TRANSACTIONS)
})
