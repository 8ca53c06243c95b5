/** Learners who have not had a lift yet, or whom it failed to reach: the recipients of `sendNow`. */
import { type RawBuilder, sql } from 'kysely'
import type { Journey } from '../journeys/journey.ts'
import { requireEditable } from '../journeys/journeys.server.ts'
import { getLift } from '../lifts/lifts.server.ts'
import { unmailedIn } from '../mail-stops/asking.server.ts'
import { HAS_FAILED } from '../occurrences/resend.server.ts'
import { channelOf, isTexted, selectLearners } from '../planning/learners.server.ts'
import { type Scope, tenantWide } from '../scope/scope.server.ts'
import { type Found, findIds, MAX_COUNT } from '../search.server.ts'
import { nameOrEmail } from '../text/full-name.ts'
import { quietZones } from './quiet-zones.server.ts'
import type { StillToSend, StillToSendQuery } from './send-now-recipients.ts'
import { IS_WAITING, selectWaiting } from './still-to-send.server.ts'

const MAX_SHOWN = 100

export async function listStillToSend(
  scope: Scope,
  liftId: number,
  { q, member_ids: chosen = [] }: StillToSendQuery,
): Promise<StillToSend> {
  const { journey_id } = await getLift(scope, liftId)
  const journey = await requireEditable(scope, journey_id)
  // Of the whole tenant, as it is sent: a sub-tenant's journey has learners from others, who are not listed.
  const { few, ...counts } = await tenantWide(scope, (whole) => countWaiting(whole, journey, liftId))
  const found = q ? await findIds(scope, 'participants', q, { journey: journey_id }) : null
  const select = (among: Among) => selectSome(scope, journey, liftId, among)
  const matching = select(found ?? few)
  const own = chosen.length > 0 ? await listFirst(select({ ids: `{${chosen.join()}}` }), journey) : []
  const others = chosen.length > 0 ? matching.where('m.id', 'not in', chosen) : matching
  const isAll = !q && scope.actor.sub_tenant_id === null
  return {
    data: [...own, ...(await listFirst(others, journey))].slice(0, MAX_SHOWN),
    total: isAll ? counts.people : await countAll(matching),
    is_capped: found !== null && !found.is_all,
    ...counts,
  }
}

type Among = Pick<Found, 'ids'> | null

const IS_HELD = sql<boolean>`coalesce(o.state = 'held', false)`
const FAILED = sql<boolean>`coalesce(${HAS_FAILED}, false)`
const IS_RESTORED = sql<boolean>`(${IS_HELD} and exists (select from dispatches d where d.tenant_id = o.tenant_id
  and d.occurrence_id = o.id and d.error_code = 'restored'))`

/** Looks at one learner after the other: at those `among` all, or in the order of names until a page is full. */
const selectSome = (scope: Scope, journey: Journey, liftId: number, among: Among) =>
  selectLearners(scope, journey, { among })
    .innerJoinLateral(
      sql<Record<'is_waiting' | 'is_held' | 'has_failed', boolean>>`(
        select ${IS_WAITING} as is_waiting, ${IS_HELD} as is_held, ${FAILED} as has_failed
        from (select) one left join occurrences o on o.tenant_id = m.tenant_id and o.lift_id = ${liftId}
          and o.member_id = m.id offset 0)`.as('its'),
      (join) => join.onTrue(),
    )
    .where('its.is_waiting', '=', true)

type Some = ReturnType<typeof selectSome>

async function listFirst(some: Some, journey: Journey): Promise<StillToSend['data']> {
  const rows = await some
    .select(['m.id as member_id', 'u.first_name', 'u.last_name', 'u.email', 'its.is_held', 'its.has_failed'])
    .select(isTexted(journey).as('is_texted'))
    .orderBy('u.last_name')
    .orderBy('u.first_name')
    .orderBy('u.id')
    .orderBy('m.id')
    .limit(MAX_SHOWN)
    .execute()
  return rows.map(({ first_name, last_name, is_texted, ...row }) => ({
    ...row,
    name: nameOrEmail({ first_name, last_name, email: row.email }),
    channel: channelOf(journey, is_texted),
  }))
}

async function countAll(some: Some): Promise<number> {
  const { count } = await some.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

type Counts = Omit<StillToSend, 'data' | 'total' | 'is_capped'>

const many = (which: RawBuilder<boolean>) => sql<number>`count(*) filter (where ${which})::int`

/** `few`: all of them, unless they are so many that the first by name are found sooner in the order of names. */
async function countWaiting(
  scope: Scope,
  journey: Journey,
  liftId: number,
): Promise<Counts & { few: Among }> {
  const unmailed = [...(await unmailedIn(scope, journey.id))]
  const groups = await selectWaiting(scope, journey, liftId)
    .select((eb) => [
      eb.fn.coalesce('u.timezone', 's.timezone').as('zone'),
      isTexted(journey).as('is_texted'),
      sql<number>`count(*)::int`.as('people'),
      ...[many(IS_HELD).as('held'), many(IS_RESTORED).as('restored'), many(FAILED).as('failed')],
      many(sql`m.user_id = any(${unmailed}::bigint[])`).as('unmailed'),
      sql<string>`case when count(*) <= ${MAX_COUNT} then array_to_string(array_agg(m.id), ',') end`.as(
        'few',
      ),
    ])
    .groupBy(sql`1, 2`)
    .execute()
  const isQuiet = await quietZones(scope, journey.id)
  const by_channel = { sms: 0, email: 0, in_app: 0 }
  const counts = { people: 0, held: 0, restored: 0, failed: 0, resting: 0, unmailed: 0 }
  for (const { zone, is_texted, unmailed, ...group } of groups) {
    const channel = channelOf(journey, is_texted)
    by_channel[channel] += group.people
    for (const part of ['people', 'held', 'restored', 'failed'] as const) counts[part] += group[part]
    if (channel === 'sms' && isQuiet(zone)) counts.resting += group.people
    if (channel === 'email') counts.unmailed += unmailed
  }
  const few = counts.people <= MAX_COUNT ? { ids: `{${groups.map((group) => group.few).join()}}` } : null
  return { ...counts, by_channel, few }
}
