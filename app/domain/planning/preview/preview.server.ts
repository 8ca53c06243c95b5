/** Previews a journey's schedule with the same planner as production, and writes nothing. */
import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { notFound } from '#app/domain/errors.ts'
import { readClockAndHours } from '#app/domain/journeys/clock-and-hours.server.ts'
import type { Journey } from '#app/domain/journeys/journey.ts'
import { isUnderWay } from '#app/domain/journeys/journey-status.ts'
import { getJourney } from '#app/domain/journeys/journeys.server.ts'
import { listLifts } from '#app/domain/lifts/lifts.server.ts'
import { requireSameThings } from '#app/domain/lifts/same-things.ts'
import { listStanding } from '#app/domain/planning/current-occurrences.server.ts'
import { countLearners, type Learner, listLearners } from '#app/domain/planning/learners.server.ts'
import { draftOccurrences } from '#app/domain/planning/plan.server.ts'
import { momentOfPlanning } from '#app/domain/planning/replan.server.ts'
import { requireSoundRule } from '#app/domain/planning/validate-rule.server.ts'
import { nowIn, zonedNow } from '#app/domain/scope/clock.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { describeOccurrence, describeStanding } from './describe-plan.ts'
import { applyChanges, type Changed } from './draft-changes.ts'
import { measureImpact, suppositionsOf } from './edit-impact.server.ts'
import type { Preview, PreviewEntry, PreviewInput } from './preview.ts'

const MAX_ENTRIES = 500

export async function previewSchedule(scope: Scope, id: number, input: PreviewInput): Promise<Preview> {
  const stored = await getJourney(scope, id)
  const lifts = await listLifts(scope, id)
  if (input.changes.order)
    requireSameThings(
      'changes.order',
      lifts.map((lift) => lift.id),
      input.changes.order,
    )
  const draft = applyChanges(stored, lifts, input.changes)
  const { journey } = draft
  for (const { lift_id, schedule } of input.changes.lifts ?? [])
    await requireSoundRule(scope, id, lift_id, schedule)
  const { tenant_zone: zone } = await readClockAndHours(scope, id)
  const as_of = input.as_of ? momentOf(scope, input.as_of, zone) : nowIn(scope)
  const learners = await chosen(scope, journey, input.user_id)
  const entries =
    stored.status === 'draft'
      ? await previewLaunch(scope, draft, learners, as_of)
      : await previewRunning(scope, draft, learners, as_of)
  entries.sort(byTime)
  return {
    as_of: as_of.toISOString(),
    zone,
    learners: await countLearners(scope, journey),
    entries: entries.slice(0, MAX_ENTRIES),
    left_off: Math.max(0, entries.length - MAX_ENTRIES),
    impact:
      draft.changed.size + draft.rewritten.size > 0 && isUnderWay(stored.status)
        ? await measureImpact(scope, draft)
        : null,
  }
}

/**
 * A date stands for that day at the present time of day: somebody who launches tomorrow does so at about this time.
 */
function momentOf(scope: Scope, asked: string, zone: string): Date {
  if (asked.includes('T')) return new Date(asked)
  const time = zonedNow(scope, zone).toPlainTime()
  return new Date(
    Temporal.PlainDate.from(asked).toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds,
  )
}

/** The given learner, or else the first in the list. */
async function chosen(scope: Scope, journey: Journey, userId: number | null | undefined): Promise<Learner[]> {
  if (userId === null) return []
  const first = sql<number[]>`array(
    select m.id from members m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
    where m.journey_id = ${journey.id} and m.role = 'learner' and m.state in ('invited', 'active')
      and (m.user_id = ${userId ?? null}::bigint or ${userId ?? null}::bigint is null)
    order by u.last_name, u.first_name, u.id, m.id limit 1)`
  const learners = await listLearners(scope, journey, first)
  if (learners.length > 0 || userId === undefined) return learners
  // Somebody who is disabled at the moment has no plan, but is there.
  const [disabled] = await listLearners(scope, journey, first, { withDisabled: true })
  if (!disabled) throw notFound()
  return []
}

async function previewLaunch(
  scope: Scope,
  draft: Changed,
  learners: readonly Learner[],
  now: Date,
): Promise<PreviewEntry[]> {
  const journey = { ...draft.journey, launched_at: null }
  const lifts = draft.planned
  const ready = lifts.filter((lift) => lift.status === 'ready')
  const occurrences = await draftOccurrences(scope, journey, ready, learners, {
    ...{ past: 'skip', now },
    ...suppositionsOf(draft),
  })
  return occurrences.map((occurrence) => describeOccurrence({ ...occurrence, lifts, journey, as_of: now }))
}

/**
 * Sent or settled occurrences stay; the rest is replanned where the changes affect it. Lifts whose time is past are
 * shown as skipped.
 */
async function previewRunning(
  scope: Scope,
  draft: Changed,
  learners: readonly Learner[],
  now: Date,
): Promise<PreviewEntry[]> {
  const { journey, planned: lifts, changed } = draft
  if (learners.length === 0) return []
  const standing = await listStanding(scope, journey.id, { memberIds: learners.map((one) => one.id) })
  const have = new Set(standing.map((occurrence) => occurrence.lift_id))
  const anew = lifts.filter((lift) => (changed.has(lift.id) || !have.has(lift.id)) && lift.status === 'ready')
  const terms = {
    ...({ past: 'skip' } as const),
    now: await momentOfPlanning(scope, journey),
    ...suppositionsOf(draft),
  }
  const drafts = (await draftOccurrences(scope, journey, anew, learners, terms)).filter(
    ({ lift, outcome }) => changed.has(lift.id) || outcome === 'skipped',
  )
  const staying = new Set(
    drafts.filter((occurrence) => occurrence.outcome === 'stays').map((occurrence) => occurrence.lift.id),
  )
  const stays = standing.filter(
    (occurrence) =>
      occurrence.is_settled || !changed.has(occurrence.lift_id) || staying.has(occurrence.lift_id),
  )
  const occurrences = drafts.filter(
    (occurrence) =>
      !stays.some((one) => one.lift_id === occurrence.lift.id && one.member_id === occurrence.learner.id),
  )
  return [
    ...stays.flatMap((occurrence) => describeStanding(occurrence, { lifts, learners, as_of: now })),
    ...occurrences.map((occurrence) => describeOccurrence({ ...occurrence, lifts, journey, as_of: now })),
  ]
}

const byTime = (one: PreviewEntry, other: PreviewEntry) =>
  (one.due_at ?? '9').localeCompare(other.due_at ?? '9') || one.lift_id - other.lift_id
