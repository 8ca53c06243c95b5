/**
 * A preview of a journey as its learners see it, for its authors: with the times of one learner, and without answers.
 */

import type { ApiClient } from '#app/api/client.server.ts'
import { getTimeline } from '#app/api/contract/journeys.ts'
import { previewSchedule } from '#app/api/contract/schedules.ts'
import { describeRule } from '#app/domain/lifts/describe-rule.ts'
import { MAX_PER_PAGE } from '#app/domain/page.ts'
import type { LearnerLift } from '#app/domain/participants/learner-journey.ts'
import type { PreviewEntry } from '#app/domain/planning/preview/preview.ts'
import type { Timeline, TimelineLift } from '#app/domain/running/timeline.ts'

/** `rule`: the rule in words, if the time is unknown. */
export type PreviewLift = LearnerLift & { rule: string | null }

const HOUR = 3_600_000

export async function readPreview(api: ApiClient, id: string, now: Date) {
  const { journey, lifts: planned } = await readLifts(api, id)
  if (!journey.may_edit) return null
  const { entries } = await api(previewSchedule, { id })
  const occurrences = new Map(entries.map((entry) => [entry.lift_id, entry]))
  const lifts = planned
    .filter(({ status }) => status === 'ready')
    .map((lift) =>
      asSeen(lift, occurrences.get(lift.id), {
        isDraft: journey.status === 'draft',
        until: journey.answers_until === null ? Infinity : Date.parse(journey.answers_until),
        now: now.getTime(),
      }),
    )
    .sort(byTime)
  const { name, description, status } = journey
  const [first] = entries
  return {
    ...{ id: journey.id, name, description, status, sponsor: null, completed: 0, lifts, is_preview: true },
    has_assessments: false,
    whose: first ? { name: first.name, zone: first.zone } : null,
  }
}

/** Reads all pages: learners see their journey on one. */
async function readLifts(api: ApiClient, id: string, page = 1): Promise<Pick<Timeline, 'journey' | 'lifts'>> {
  const read = await api(getTimeline, { id }, { page, per_page: MAX_PER_PAGE })
  if (page >= read.pagination.total_pages) return read
  const { lifts } = await readLifts(api, id, page + 1)
  return { ...read, lifts: [...read.lifts, ...lifts] }
}

function asSeen(
  { id, title, est_minutes, required, schedule, closes_after_hours }: TimelineLift,
  occurrence: PreviewEntry | undefined,
  { isDraft, until, now }: { isDraft: boolean; until: number; now: number },
): PreviewLift {
  const isLate = isDraft && occurrence?.is_past === true
  const due_at = (!isLate && (occurrence?.send_at ?? occurrence?.due_at)) || null
  const hours = closes_after_hours ?? Infinity
  const closes = due_at ? Math.min(Date.parse(due_at) + hours * HOUR, until) : Infinity
  return {
    ...{ id, title, est_minutes, required, due_at, is_started: false, completed_at: null },
    closes_at: Number.isFinite(closes) ? new Date(closes).toISOString() : null,
    state: stateOf(due_at, closes, now),
    rule: due_at
      ? null
      : isLate
        ? 'its time is past: skipped, or sent with the launch'
        : schedule.kind === 'manual' && !schedule.at_launch
          ? 'comes when it is sent'
          : describeRule(schedule),
  }
}

function stateOf(due_at: string | null, closes: number, now: number): LearnerLift['state'] {
  if (closes <= now) return 'closed'
  return due_at !== null && Date.parse(due_at) <= now ? 'open' : 'coming'
}

/** In the order for learners: by time, those without one last. */
const byTime = (one: PreviewLift, other: PreviewLift): number =>
  (one.due_at ? Date.parse(one.due_at) : Infinity) - (other.due_at ? Date.parse(other.due_at) : Infinity) || 0
