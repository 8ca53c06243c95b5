/** Tells new sponsors of learners in a running journey about them, by notification and mail. */
import { type SqlBool, sql } from 'kysely'
import { addJobs } from '#app/db/queue.server.ts'
import { isUnderWay, type JourneyStatus } from '../journeys/journey-status.ts'
import { notify } from '../notifications/notifications.server.ts'
import type { Scope } from '../scope/scope.server.ts'

export async function welcomeSponsors(
  scope: Scope,
  journey: { id: number; name: string },
  userIds: readonly number[],
): Promise<void> {
  await notify(scope, userIds, {
    notification_type: 'launch',
    content: {
      title: journey.name,
      message: `You are a sponsor in “${journey.name}”: follow your learners.`,
      path: `/sponsors-journey/${journey.id}`,
    },
  })
  const { tenant_id } = scope.actor
  const about = { journey_id: journey.id }
  await addJobs(
    scope.db,
    'mail-sponsor',
    userIds.map((user_id) => ({ payload: { tenant_id, user_id, about } })),
  )
}

/** As a list of ids first: just after thousands were added, PostgreSQL expects few, and would search all of them for each. */
export async function listSponsorIds({ db }: Scope, journeyId: number): Promise<number[]> {
  const sponsors = db
    .selectFrom('members')
    .select('sponsor_id')
    .distinct()
    .where('journey_id', '=', journeyId)
    .where('state', '!=', 'withdrawn')
    .where('sponsor_id', 'is not', null)
  const rows = await db
    .selectFrom('members as m')
    .select('m.user_id')
    .distinct()
    .where('m.journey_id', '=', journeyId)
    .where('m.state', '!=', 'withdrawn')
    .where(sql<SqlBool>`m.id = any(array(${sponsors}))`)
    .execute()
  return rows.map((row) => row.user_id)
}

/** Welcomes sponsors who had no learners before `Done`, and have some after it; before the launch nobody is told. */
export async function welcomingNew<Done>(
  scope: Scope,
  journeyId: number,
  change: () => Promise<Done>,
): Promise<Done> {
  const journey = await scope.db
    .selectFrom('journeys')
    .select(['id', 'name', 'status'])
    .where('id', '=', journeyId)
    .executeTakeFirst()
  if (!journey || !isUnderWay(journey.status as JourneyStatus)) return change()
  const before = new Set(await listSponsorIds(scope, journeyId))
  const done = await change()
  const after = await listSponsorIds(scope, journeyId)
  await welcomeSponsors(
    scope,
    journey,
    after.filter((id) => !before.has(id)),
  )
  return done
}
