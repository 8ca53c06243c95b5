/** The effect of an edit of a launched journey on messages that have not left. */
import { sql } from 'kysely'
import { listStanding, type StandingOccurrence } from '#app/domain/planning/current-occurrences.server.ts'
import { type Learner, listLearners } from '#app/domain/planning/learners.server.ts'
import { draftOccurrences } from '#app/domain/planning/plan.server.ts'
import { momentOfPlanning } from '#app/domain/planning/replan.server.ts'
import { type Scope, tenantWide } from '#app/domain/scope/scope.server.ts'
import type { Changed } from './draft-changes.ts'
import type { Impact } from './preview.ts'

/** The maximum number of occurrences to work through while somebody waits for the answer. */
export const LIMITS = { occurrences: 20_000 }

/** Rewritten lifts keep their times. With very many occurrences, a fixed sample of people stands for all. */
export const measureImpact = (scope: Scope, draft: Changed): Promise<Impact> =>
  tenantWide(scope, (whole) => measure(whole, draft))

async function measure(scope: Scope, draft: Changed): Promise<Impact> {
  const { journey, changed, rewritten } = draft
  const liftIds = [...new Set([...changed, ...rewritten])]
  const sample = await sampleMembers(scope, journey.id, liftIds.length)
  const memberIds = sample?.ids
  const standing = await listStanding(scope, journey.id, { liftIds, ...(memberIds && { memberIds }) })
  const next = await planAnew(scope, draft, memberIds)

  const counts = { moved: 0, kept: 0, updated: 0, cancelled: 0, added: 0 }
  for (const occurrence of standing) {
    const key = `${occurrence.lift_id}:${occurrence.member_id}`
    const fate = changed.has(occurrence.lift_id) ? fateOf(occurrence, next.get(key)) : stays(occurrence)
    next.delete(key)
    if (fate) counts[fate] += 1
    if (fate === 'kept' && !occurrence.is_settled && rewritten.has(occurrence.lift_id)) counts.updated += 1
  }
  counts.added += next.size
  return sample ? estimate(counts, sample.of / sample.ids.length) : counts
}

/** The due times of replanned occurrences, by lift and member; in the same order as `replanChanged`. */
async function planAnew(
  scope: Scope,
  draft: Changed,
  memberIds: readonly number[] | undefined,
): Promise<Map<string, number | null>> {
  const { journey, planned, changed, following } = draft
  const now = await momentOfPlanning(scope, journey)
  const next = new Map<string, number | null>()
  let learners: Learner[] | undefined
  for (const past of ['skip', 'one_a_day'] as const) {
    const isOfIt = ({ id }: { id: number }) => changed.has(id) && following.has(id) === (past === 'one_a_day')
    const lifts = planned.filter((lift) => lift.status === 'ready' && isOfIt(lift))
    if (lifts.length === 0) continue
    learners ??= await listLearners(scope, journey, memberIds, { withDisabled: true })
    const terms = { past, now, ...suppositionsOf(draft) }
    for (const { outcome, lift, learner, plan } of await draftOccurrences(
      scope,
      journey,
      lifts,
      learners,
      terms,
    ))
      if (outcome !== 'skipped') next.set(`${lift.id}:${learner.id}`, plan.due_at?.getTime() ?? null)
  }
  return next
}

/** A sample of members; null if all are few enough. People who left are included, as their messages count too. */
export async function sampleMembers(
  { db }: Scope,
  journeyId: number,
  lifts: number,
): Promise<{ ids: number[]; of: number } | null> {
  const { rows } = await sql<{ of: number }>`
    select count(*)::int as of from members where journey_id = ${journeyId} and role = 'learner'`.execute(db)
  const of = rows[0]?.of ?? 0
  if (lifts * of <= LIMITS.occurrences) return null
  const size = Math.max(1, Math.floor(LIMITS.occurrences / lifts))
  const { rows: members } = await sql<{ id: number }>`
    select id from members where journey_id = ${journeyId} and role = 'learner'
    order by md5(id::text), id limit ${size}`.execute(db)
  return { ids: members.map((row) => row.id), of }
}

/** Scales up to two significant digits, the precision of a sample. */
function estimate(counts: Omit<Impact, 'is_estimate'>, factor: number): Impact {
  const all = (count: number) => Number((count * factor).toPrecision(2))
  const { moved, kept, updated, cancelled, added } = counts
  return {
    ...{ moved: all(moved), kept: all(kept), updated: all(updated) },
    ...{ cancelled: all(cancelled), added: all(added), is_estimate: true },
  }
}

export const suppositionsOf = ({ previous, quiet_hours, restated }: Changed) => ({
  restated,
  ...(previous && { previous }),
  ...(quiet_hours && { settings: { quiet_hours } }),
})

const stays = (occurrence: StandingOccurrence): 'kept' | null =>
  occurrence.state === 'cancelled' ? null : 'kept'

type Fate = 'moved' | 'kept' | 'cancelled' | 'added'

/** An occurrence that was cancelled before counts as added when it is planned again. */
function fateOf(occurrence: StandingOccurrence, due: number | null | undefined): Fate | null {
  if (occurrence.is_settled) return 'kept'
  if (occurrence.state === 'cancelled') return due === undefined ? null : 'added'
  if (due === undefined) return 'cancelled'
  return due === (occurrence.due_at?.getTime() ?? null) ? 'kept' : 'moved'
}
