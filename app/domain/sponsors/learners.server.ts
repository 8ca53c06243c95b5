/** The learners of the signed-in sponsor, each with what is open between them. */
import { type Kysely, sql } from 'kysely'
import { plannedOnce } from '#app/db/plans/named.server.ts'
import { rowById } from '#app/db/row-by-id.server.ts'
import type { DB } from '#app/db/schema.ts'
import { nameOrEmailOf } from '#app/domain/text/full-name.server.ts'
import { OWN_TODAY } from '../hours/own-clock.server.ts'
import { HAS_COME, IS_OVERDUE } from '../occurrences/overdue.server.ts'
import { OWN_MEMBERS } from '../scope/own-members.server.ts'
import { type Scope, tenantWide } from '../scope/scope.server.ts'
import type { SponsoredJourneys, SponsoredLearner } from './sponsored.ts'

const NONE = sql.lit(0)

/** Starts from the sponsor's own memberships; the rest is joined by key. */
export const selectLearners = (db: Kysely<DB>) =>
  db
    .selectFrom(OWN_MEMBERS.as('own'))
    .innerJoinLateral(
      (eb) => eb.selectFrom('members').selectAll().whereRef('sponsor_id', '=', 'own.id').offset(NONE).as('m'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(rowById('journeys', 'm.journey_id').as('j'), (join) => join.onTrue())
    .where('m.role', '=', sql.lit('learner'))
    .where('m.state', '!=', sql.lit('withdrawn'))
    .where('j.status', '!=', sql.lit('draft'))

export type Learner = SponsoredLearner & {
  memberId: number
  sponsorId: number
  journey: { id: number; name: string; status: string }
  /** Due lifts that are not done, and when the first fell due. */
  waiting: number
  first_came: string | null
  encouraged_at: string | null
}

const selectWhatIsOpen = (db: Kysely<DB>) =>
  selectLearners(db)
    .leftJoinLateral(rowById('users', 'm.user_id').as('u'), (join) => join.onTrue())
    .select(['m.id', 'm.user_id', 'own.id as sponsor_id'])
    .select(['j.id as journey_id', 'j.name as journey_name', 'j.status'])
    .select(nameOrEmailOf('u').as('name'))
    .select([
      sql<number>`(select count(*) from occurrences o where o.member_id = m.id and ${HAS_COME}
        and o.state not in ('completed', 'expired'))::int`.as('waiting'),
      sql<Date | null>`(select min(o.due_at) from occurrences o where o.member_id = m.id and ${HAS_COME})`.as(
        'first_came',
      ),
      sql<number>`(select count(*) from commitments c
        join occurrences o on o.member_id = c.member_id and o.lift_id = c.lift_id
        where c.member_id = m.id and c.state = 'open'
        and c.by_on <= (scope_now() at time zone o.zone)::date)::int`.as('late_commitments'),
      sql<number>`(select count(*) from commitments c where c.member_id = m.id and c.state <> 'dropped'
        and c.acknowledged_at is null)::int`.as('to_acknowledge'),
      sql<number>`(select count(*) from responses r where r.member_id = m.id and r.is_current
        and r.visibility = 'sponsor' and r.scored_at is null
        and (select scoring from prompt_scoring(r.prompt_id)) = 'sponsor')::int`.as('to_score'),
      sql<Date | null>`(select max(e.created_on) from encouragements e where e.member_id = m.id
        and e.sponsor_id = own.id)`.as('encouraged_at'),
    ])
    .select([
      sql<number>`(select count(*) from occurrences o where o.member_id = m.id and o.state = 'completed')::int`.as(
        'completed',
      ),
      sql<number>`(select count(*) from occurrences o where o.member_id = m.id and ${HAS_COME})::int`.as(
        'come',
      ),
      sql<number>`(select count(*) from occurrences o cross join lateral ${rowById('lifts', 'o.lift_id')} l
        where o.member_id = m.id and ${IS_OVERDUE})::int`.as('overdue'),
      sql<Date | null>`(select max(greatest(o.opened_at, o.first_response_at, o.completed_at))
        from occurrences o where o.member_id = m.id)`.as('last_activity'),
      sql<number>`(select count(*) from commitments c where c.member_id = m.id and c.state = 'open')::int`.as(
        'open_commitments',
      ),
      sql<boolean>`exists (select from encouragements e where e.member_id = m.id and e.sponsor_id = own.id
        and e.said_on = ${OWN_TODAY}::date)`.as('encouraged_today'),
    ])

const readAll = plannedOnce(selectWhatIsOpen)

/** Without a limit: nobody has too many learners to read at once. */
export async function readLearners(own: Scope, journeyId?: number, userId?: number): Promise<Learner[]> {
  const isNarrowed = journeyId !== undefined || userId !== undefined
  const rows = await (isNarrowed
    ? selectWhatIsOpen(own.db)
        .$if(journeyId !== undefined, (query) => query.where('m.journey_id', '=', journeyId ?? 0))
        .$if(userId !== undefined, (query) => query.where('m.user_id', '=', userId ?? 0))
        .execute()
    : readAll(own.db))
  const hidden = await readNames(
    own,
    rows.filter(({ name }) => name === null).map(({ user_id }) => user_id),
  )
  return rows
    .map(({ id: memberId, sponsor_id: sponsorId, journey_id, journey_name, status, ...row }) => ({
      ...{ ...row, memberId, sponsorId, name: row.name ?? hidden.get(row.user_id) ?? '' },
      journey: { id: journey_id, name: journey_name, status },
      // Answers of an archived journey can no longer be scored.
      to_score: status === 'archived' ? 0 : row.to_score,
      first_came: row.first_came?.toISOString() ?? null,
      encouraged_at: row.encouraged_at?.toISOString() ?? null,
      last_activity: row.last_activity?.toISOString() ?? null,
    }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en') || one.user_id - other.user_id)
}

/** Their journeys, as returned by `listSponsoredJourneys`. */
export function tilesOf(learners: readonly Learner[]): SponsoredJourneys['data'] {
  const tiles = new Map<number, SponsoredJourneys['data'][number]>()
  for (const { journey, overdue, to_acknowledge } of learners) {
    if (journey.status === 'archived') continue
    const { learners, ...before } = tiles.get(journey.id) ?? { learners: 0, overdue: 0, to_acknowledge: 0 }
    tiles.set(journey.id, {
      ...journey,
      learners: learners + 1,
      overdue: before.overdue + overdue,
      to_acknowledge: before.to_acknowledge + to_acknowledge,
    })
  }
  return [...tiles.values()].sort(
    (one, other) => one.name.localeCompare(other.name, 'en') || one.id - other.id,
  )
}

/** Names of people of another sub-tenant, whom this scope does not show. */
async function readNames(own: Scope, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tenantWide(own, ({ db }) =>
    db
      .selectFrom('users')
      .select(['id', nameOrEmailOf('users').as('name')])
      .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
      .execute(),
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
