/** The sponsors of a journey, each with their learners. */
import { sql } from 'kysely'
import { getJourney } from '../journeys/journeys.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { nameOrEmail } from '../text/full-name.ts'
import type { Sponsor } from './member.ts'

export async function listSponsors(scope: Scope, journeyId: number): Promise<Sponsor[]> {
  await getJourney(scope, journeyId)
  const rows = await scope.db
    .selectFrom('members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.id as member_id', 'm.role', 'm.sponsor_id', 'u.id', 'u.email', 'u.first_name', 'u.last_name'])
    .where('m.journey_id', '=', journeyId)
    .where('m.state', '!=', 'withdrawn')
    // Filters by sponsor: among a million learners, few may have one.
    .where(sql<boolean>`(m.role = 'sponsor' or m.role = 'learner' and m.sponsor_id is not null)`)
    .orderBy('u.last_name')
    .orderBy('u.id')
    .execute()
  const learners = Map.groupBy(
    rows.filter((row) => row.role === 'learner'),
    (row) => row.sponsor_id,
  )
  return rows
    .filter((row) => row.role === 'sponsor')
    .map((sponsor) => ({
      id: sponsor.id,
      email: sponsor.email,
      name: nameOrEmail(sponsor),
      learners: (learners.get(sponsor.member_id) ?? []).map((row) => ({
        id: row.id,
        email: row.email,
        name: nameOrEmail(row),
        sponsorId: sponsor.id,
      })),
    }))
}
