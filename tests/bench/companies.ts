/** What everyone's pages cost in PostgreSQL when many companies share a connection, compared with one company alone. */
import { readFileSync } from 'node:fs'
import { setImmediate as soon } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect } from '#app/db/connect.server.ts'
import type { Actor } from '#app/domain/access/actor.ts'
import { listNotifications } from '#app/domain/notifications/notifications.server.ts'
import { listLearnerJourneys, listTodo } from '#app/domain/participants/learning.server.ts'
import { asParticipant } from '#app/domain/scope/scope.server.ts'
import { shareReads } from '#app/domain/scope/shared-reads.server.ts'
import { listUsersWithFacets } from '#app/domain/users/users.server.ts'
import type { World } from './world.ts'

const COMPANIES = 200
const PEOPLE = 200
/** Rounds until each statement is named, and each company's size is known. */
const WARM_UP = 4
/** The highest ratio of many companies in turn to one. */
const MOST = 1.5
const MS_PER_TICK = 10

/** Milliseconds of PostgreSQL's processor time for one visit. */
export type Companies = { alone: number; in_turn: number }

export async function measureCompanies(world: World): Promise<Companies> {
  const [person] = world.people.values()
  if (!person) throw new Error('There is nobody.')
  const actors = (await makeCompanies(world)).map((one) => ({ ...person.actor, ...one, sub_tenant_id: null }))
  const alone = await measure(world.siteEnv.DATABASE_URL, Array(COMPANIES).fill(actors[0]))
  return { alone, in_turn: await measure(world.siteEnv.DATABASE_URL, actors) }
}

async function makeCompanies({ admin }: World): Promise<Pick<Actor, 'tenant_id' | 'user_id'>[]> {
  await admin.query(`insert into tenants (id, name, customer_type, timezone, pool_id)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Small company ' || n, 'Single Tenant', 'UTC', 'default'
    from generate_series(1, ${COMPANIES}) n on conflict do nothing`)
  await admin.query(`insert into users (tenant_id, email, first_name, last_name, activation_status)
    select id, n || '@' || right(id::text, 3) || '.small.example', 'Ada', n::text, 'active'
    from tenants, generate_series(1, ${PEOPLE}) n where name::text like 'Small company %' on conflict do nothing`)
  await admin.query('analyze users')
  const { rows } = await admin.query(`select u.tenant_id, min(u.id)::int as user_id from users u
    join tenants t on t.id = u.tenant_id where t.name::text like 'Small company %' group by 1 order by 1`)
  return rows
}

async function measure(url: string, actors: readonly Actor[]): Promise<number> {
  const database = connect(url, { max: 1 })
  try {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database)
    const shared = shareReads(database)
    for (let round = 0; round < WARM_UP; round++) for (const actor of actors) await visit(shared, actor)
    const before = usedMs(rows[0]?.pid)
    for (const actor of actors) await visit(shared, actor)
    return (usedMs(rows[0]?.pid) - before) / actors.length
  } finally {
    await database.destroy()
  }
}

const FIRST_PAGE = { page: 1, per_page: 20, q: '', role: [], order_by: 'date', order: 'desc' } as const

/** A page with its frame, and pages of a learner. */
async function visit(shared: ReturnType<typeof shareReads>, actor: Actor): Promise<void> {
  await shared(actor, async (scope) => {
    await listNotifications(scope, { page: 1, limit: 20 })
    await listUsersWithFacets(scope, { ...FIRST_PAGE, role: [] })
  })
  await shared(actor, (scope) =>
    asParticipant(scope, async (own) => {
      await listTodo(own)
      await listLearnerJourneys(own)
    }),
  )
  await soon()
}

function usedMs(pid: number | undefined): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

export const companiesInWords = ({ alone, in_turn }: Companies): string =>
  `What a list of people and a learner's pages ask, on one connection: ${alone.toFixed(1)} ms of PostgreSQL for one company, ${in_turn.toFixed(1)} for ${COMPANIES} in turn (goal: ${MOST} times).`

export const plannedTooOften = ({ alone, in_turn }: Companies): string[] =>
  in_turn > MOST * alone
    ? [`${COMPANIES} companies in turn: ${(in_turn / alone).toFixed(1)} times one (goal: ${MOST})`]
    : []
