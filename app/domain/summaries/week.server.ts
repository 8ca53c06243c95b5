/** The week of the journeys that a person may see by any of their roles, with the figures of analytics. */
import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { type Actor, ROLES, type Role } from '../access/actor.ts'
import { maySeeAllJourneys } from '../access/journeys.ts'
import { figuresOf } from '../analytics/figures.ts'
import { countColumns, REPORT_ZONE, selectFacts } from '../analytics/population.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import { actAs, type Scope } from '../scope/scope.server.ts'
import type { JourneyWeek, Week } from './week.ts'

export function weekBefore(monday: string): Week {
  const day = Temporal.PlainDate.from(monday)
  return { from: day.subtract({ days: 7 }).toString(), to: day.subtract({ days: 1 }).toString() }
}

/** For the actor, in a tenant-wide scope. */
export async function readWeek(scope: Scope, monday: string): Promise<JourneyWeek[]> {
  const now = nowIn(scope)
  const found = new Map<number, JourneyWeek>()
  for (const actor of await scopesOf(scope))
    await actAs(scope, actor, async (there) => {
      for (const journey of await readThere(there, monday, now)) found.set(journey.id, journey)
    })
  return [...found.values()].sort(
    (one, other) => one.name.localeCompare(other.name, 'en') || one.id - other.id,
  )
}

/** The company and its active sub-tenants in which the person is an administrator or author. */
async function scopesOf({ actor, db }: Scope): Promise<Actor[]> {
  const held = await db
    .selectFrom('user_general_roles as r')
    .leftJoin('sub_tenants as s', 's.id', 'r.sub_tenant_id')
    .select(['r.role', 'r.sub_tenant_id'])
    .where('r.user_id', '=', actor.user_id)
    .where('r.role', 'in', ['admin', 'author'])
    .where((is) =>
      is.or([
        is('r.sub_tenant_id', 'is', null),
        is.and([is('s.status', '=', 'active'), is('s.deleted_on', 'is', null)]),
      ]),
    )
    .execute()
  return [...new Set(held.map((one) => one.sub_tenant_id))].map((sub_tenant_id) => {
    const here = held.filter((one) => one.sub_tenant_id === null || one.sub_tenant_id === sub_tenant_id)
    const roles: Role[] = ROLES.filter((role) => here.some((one) => one.role === role))
    return { ...actor, sub_tenant_id, roles }
  })
}

async function readThere(scope: Scope, monday: string, now: Date): Promise<JourneyWeek[]> {
  const due = await selectFacts(scope, weekBefore(monday), now)
    .innerJoin('journeys as j', 'j.id', 'f.journey_id')
    .select(['j.id', 'j.name'])
    .select(countColumns(now, {}))
    .groupBy(['j.id', 'j.name'])
    .execute()
  const coming = await countComing(scope, monday, now)
  const weeks = due.map(({ id, name, ...counts }) => ({
    ...{ id, name, figures: figuresOf(counts) },
    coming: coming.find((one) => one.id === id)?.coming ?? 0,
  }))
  const others = coming.filter(({ id }) => !due.some((one) => one.id === id))
  return [...weeks, ...others.map((one) => ({ ...one, figures: null }))]
}

const countComing = ({ actor, db }: Scope, monday: string, now: Date) =>
  db
    .selectFrom('fact_occurrence as f')
    .innerJoin('journeys as j', 'j.id', 'f.journey_id')
    .select(['j.id', 'j.name', sql<number>`count(*)::int`.as('coming')])
    .where('f.is_counted', '=', true)
    .where('f.state', '=', 'planned')
    .where('f.due_at', '>', now)
    .where('f.due_at', '<', sql<Date>`((${monday}::date + 7)::timestamp at time zone ${REPORT_ZONE})`)
    .$if(!maySeeAllJourneys(actor), (all) => all.where('j.author_id', '=', actor.user_id))
    .groupBy(['j.id', 'j.name'])
    .execute()
