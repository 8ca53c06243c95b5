/** Converts rows of journeys into answers of the API. */

import type { Actor } from '../access/actor.ts'
import { mayEditJourney } from '../access/permissions.ts'
import type { Question } from '../scope/ask-once.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { nameOrEmailOf } from '../text/full-name.server.ts'
import { OUTSIDER } from '../text/learner-name.server.ts'
import { Journey, type JourneyRow } from './journey.ts'

export const selectJourneys = ({ db }: Scope) =>
  db
    .selectFrom('journeys as j')
    .leftJoin('users as u', 'u.id', 'j.author_id')
    .selectAll('j')
    .select(nameOrEmailOf('u').as('author_name'))

export type StoredJourney = Awaited<ReturnType<ReturnType<typeof selectJourneys>['executeTakeFirstOrThrow']>>

/** The key under which `askOnce` keeps the row. */
export const storedJourney = (id: number): Question => ['journey', id]

export function toRow(actor: Actor, row: StoredJourney): JourneyRow {
  return {
    id: row.id,
    sub_tenant_id: row.sub_tenant_id,
    name: row.name,
    category: row.category,
    status: row.status as JourneyRow['status'],
    author_id: row.author_id,
    author: { id: row.author_id, name: row.author_name ?? OUTSIDER },
    start_on: row.start_on as unknown as string | null,
    launched_at: row.launched_at?.toISOString() ?? null,
    created_on: row.created_on.toISOString(),
    updated_on: row.updated_on.toISOString(),
    lifts: row.lift_count,
    learners: row.learner_count,
    may_edit: mayEditJourney(actor, row),
    lock_version: row.lock_version,
  }
}

export function toJourney(actor: Actor, row: StoredJourney): Journey {
  return Journey.parse({
    ...row,
    ...toRow(actor, row),
    default_send_time: row.default_send_time.slice(0, 5),
    answers_until: row.answers_until?.toISOString() ?? null,
  })
}
