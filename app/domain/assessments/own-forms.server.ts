/** The forms that the signed-in person fills in: about themselves, their learners and their peers. */
import { type Kysely, sql } from 'kysely'
import { plannedOnce } from '#app/db/plans/named.server.ts'
import { rowById } from '#app/db/row-by-id.server.ts'
import type { DB } from '#app/db/schema.ts'
import { nameOrEmailOf } from '#app/domain/text/full-name.server.ts'
import { OWN_MEMBERS } from '../scope/own-members.server.ts'
import { asParticipant, type Scope, tenantWide } from '../scope/scope.server.ts'
import { StoredAnswers } from './answer.ts'
import type { Phase, Rater } from './assessment.ts'
import type { FormState, OwedForm } from './form.ts'

const MAX_OWED = sql.lit(200)
const NONE = sql.lit(0)

/**
 * In launched journeys that are not archived, while both rater and learner take part; one's own rows first, the rest
 * joined by key.
 */
const mine = (db: Kysely<DB>) =>
  db
    .selectFrom(OWN_MEMBERS.as('r'))
    .innerJoinLateral(
      (eb) =>
        eb.selectFrom('assessment_forms').selectAll().whereRef('rater_id', '=', 'r.id').offset(NONE).as('f'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(rowById('members', 'f.subject_id').as('s'), (join) => join.onTrue())
    .innerJoinLateral(rowById('journeys', 'f.journey_id').as('j'), (join) => join.onTrue())
    .where('s.state', '!=', sql.lit('withdrawn'))
    .where(sql<boolean>`j.status not in ('draft', 'archived')`)
    // A former sponsor of the learner no longer rates them.
    .where((is) => is.or([is('f.rater', '!=', sql.lit('sponsor')), is('s.sponsor_id', '=', is.ref('r.id'))]))

export async function findOwnForms(scope: Scope, journeyId: number, userId: number) {
  const rows = await mine(scope.db)
    .selectAll('f')
    .where('f.journey_id', '=', journeyId)
    .where('s.user_id', '=', userId)
    .orderBy(sql`array_position(array['self', 'sponsor', 'peers'], f.rater)`)
    .execute()
  return rows.map((row) => ({
    ...row,
    rater: row.rater as Rater,
    state: row.state as FormState,
    answers: StoredAnswers.parse(row.answers),
  }))
}
export type OwnForm = Awaited<ReturnType<typeof findOwnForms>>[number]

/**
 * Open forms of the caller: the soonest to close first, then by opening time; forms are created in no useful order.
 */
export const listOwed = (scope: Scope, journeyId?: number): Promise<OwedForm[]> =>
  asParticipant(scope, (own) => readOwed(own, journeyId))

const selectOwed = (db: Kysely<DB>) =>
  mine(db)
    .innerJoinLateral(rowById('assessments', 'f.assessment_id').as('a'), (join) => join.onTrue())
    .select(['f.assessment_id', 'a.name', 'a.phase', 'j.id as journey_id', 'j.name as journey', 's.user_id'])
    .leftJoinLateral(rowById('users', 's.user_id').as('u'), (join) => join.onTrue())
    .select(['f.rater', 'f.closes_at', 'f.state', nameOrEmailOf('u').as('learner')])
    .where(sql<boolean>`f.state in ('open', 'in_progress')`)
    .where((is) => is.or([is('f.closes_at', 'is', null), is('f.closes_at', '>', sql<Date>`scope_now()`)]))
    .orderBy('f.closes_at', (order) => order.asc().nullsLast())
    .orderBy('f.opens_at')
    .orderBy('f.assessment_id')
    .orderBy('f.id')
    .limit(MAX_OWED)

const readAllOwed = plannedOnce(selectOwed)

export async function readOwed(scope: Scope, journeyId?: number): Promise<OwedForm[]> {
  const rows = await (journeyId
    ? selectOwed(scope.db).where('j.id', '=', journeyId).execute()
    : readAllOwed(scope.db))
  const hidden = await namesOf(
    scope,
    rows.filter(({ learner }) => learner === null).map(({ user_id }) => user_id),
  )
  return rows.map((row) => ({
    assessment_id: row.assessment_id,
    name: row.name,
    phase: row.phase as Phase,
    journey: { id: row.journey_id, name: row.journey },
    learner: { id: row.user_id, name: row.learner ?? hidden.get(row.user_id) ?? '' },
    rater: row.rater as Rater,
    closes_at: row.closes_at?.toISOString() ?? null,
    is_started: row.state === 'in_progress',
  }))
}

/** Raters of somebody in another sub-tenant need to know the name. */
export async function namesOf(scope: Scope, userIds: readonly number[]): Promise<Map<number, string>> {
  if (userIds.length === 0) return new Map()
  return tenantWide(scope, async ({ db }) => {
    const rows = await db
      .selectFrom('users')
      .select(['id', nameOrEmailOf('users').as('name')])
      .where(sql<boolean>`id = any(${[...new Set(userIds)]}::bigint[])`)
      .execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  })
}
