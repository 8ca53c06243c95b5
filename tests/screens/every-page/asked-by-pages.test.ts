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
/** A statement is prepared at its third use, on any connection. */
const VISITS_BEFORE = 4
const SETTLED_MS = 100

const sent = watchQueries()
let site: Site
let ids: Record<string, number | string>
const visitors = new Map<string, Visitor>()

beforeAll(async () => {
  site = await openSite()
  const { rows } = await withAdmin(site.adminUrl, (admin) =>
    admin.query(`select j.id::int as journey, min(l.id)::int as lift, (select min(m.user_id)::int from members m
        where m.tenant_id = j.tenant_id and m.journey_id = j.id and m.role = 'learner') as learner
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

async function askedBy(who: string, path: string) {
  const email = `${who}@northwind.example`
  const visitor = visitors.get(who) ?? (await site.visitor(email))
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
    parsed_anew: statements.filter(({ isAnew }) => isAnew).map(({ text }) => text.slice(0, 120)),
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
  ['aya', '/analytics?journey={journey}', 9],
  ['aya', '/analytics?as_of={yesterday}'],
  ['aya', '/analytics?type=by_lift&journey={journey}&lift={lift}', 10],
  ['aya', '/analytics/assessments'],
  ['aya', '/analytics/explain?figure=response'],
  ['aya', '/analytics/exports'],
  ['aya', '/messages/unconfirmed'],
  ['aya', '/lljs/{journey}/schedule'],
  ['aya', '/lljs/{journey}/people'],
  ['aya', '/lljs/{journey}/assessments', 13],
  ['aya', '/lljs/{journey}/lifts/{lift}'],
  ['aya', '/lljs/{journey}/lifts/{lift}/send', 9],
  ['aya', '/lljs/{journey}/lifts/{lift}/remind', 9],
  ['aya', '/lljs/{journey}/schedule/preview', 13],
  ['aya', '/lljs/{journey}/learner', 17],
  ['adam', '/'],
  ['adam', '/users'],
  ['adam', '/users/edit/{learner}'],
  ['adam', '/users/groups'],
  ['adam', '/subtenants'],
  ['adam', '/settings/company'],
  ['adam', '/settings/audit'],
  ['uri', '/'],
  ['uri', '/learner'],
  ['uri', '/todo'],
  ['sam', '/'],
  ['sam', '/learner'],
  ['sam', '/sponsors-journey'],
  ['sam', '/sponsors-journey/{journey}'],
])('%s %s', async (who, template, most = MAX) => {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => String(ids[name]))
  const { status, statements, transactions, parsed_anew } = await askedBy(who, path)
  expect({ status, parsed_anew }).toEqual({ status: 200, parsed_anew: [] })
  expect(statements).toBeLessThanOrEqual(most)
  expect(transactions).toBeLessThanOrEqual(MAX_TRANSACTIONS)
})
