/** The brief of a sponsor: what they can act on now, in all their journeys. */
import type { OwedForm } from '../assessments/form.ts'
import { listOwed } from '../assessments/own-forms.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import { asParticipant, type Scope } from '../scope/scope.server.ts'
import type { BriefItem, SponsorBrief } from './brief.ts'
import { reasonsOf } from './brief.ts'
import { type Learner, readLearners } from './learners.server.ts'

const MAX = 100
const QUIET_DAYS = 7
/** A sponsor is not asked to write to a learner again within this time. */
const REST_DAYS = 3
const DAY = 86_400_000

export async function getSponsorBrief(scope: Scope): Promise<SponsorBrief> {
  const learners = await asParticipant(scope, (own) => readLearners(own))
  return briefOf(learners, await listOwed(scope), nowIn(scope))
}

/** Among the forms to fill in, only those about their learners count. */
export function briefOf(learners: readonly Learner[], owed: readonly OwedForm[], now: Date): SponsorBrief {
  const assessments = owed.filter(({ rater }) => rater === 'sponsor')
  const waiting = learners
    .filter(({ journey }) => journey.status !== 'archived')
    .map((learner) => toItem(learner, now))
    .filter((item) => reasonsOf(item).length > 0)
    .sort((one, other) => weightOf(other) - weightOf(one) || one.name.localeCompare(other.name, 'en'))
  return { data: waiting.slice(0, MAX), total: waiting.length, assessments }
}

function toItem({ journey, ...learner }: Learner, now: Date): BriefItem {
  const { user_id, name, late_commitments, to_acknowledge, to_score } = learner
  // In a completed journey nothing is urgent any longer.
  const isRested = journey.status !== 'completed' && isOlder(learner.encouraged_at, REST_DAYS, now)
  return {
    journey: { id: journey.id, name: journey.name },
    ...{ user_id, name, to_acknowledge, to_score },
    overdue: isRested ? learner.overdue : 0,
    late_commitments: isRested ? late_commitments : 0,
    is_quiet:
      isRested &&
      learner.waiting > 0 &&
      isOlder(learner.last_activity ?? learner.first_came, QUIET_DAYS, now),
  }
}

const isOlder = (at: string | null, days: number, now: Date): boolean =>
  at === null || Date.parse(at) < now.getTime() - days * DAY

const weightOf = ({ overdue, late_commitments, to_acknowledge, to_score, is_quiet }: BriefItem): number =>
  overdue + late_commitments + to_acknowledge + to_score + (is_quiet ? 1 : 0)
