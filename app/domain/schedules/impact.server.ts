/** What an edit of a running journey would do to the messages that have not left. */
import type { Journey } from '../journeys/journey.ts'
import type { Lift } from '../lifts/lift.ts'
import type { Scope } from '../scope.server.ts'
import { listLearners } from './learners.server.ts'
import { draftTurns } from './planning.server.ts'
import type { Impact } from './preview.ts'
import { listStanding, type StandingTurn } from './standing.server.ts'

/** `lifts` are as they would be; those in `changed` are planned anew, for everybody. */
export async function measureImpact(
  scope: Scope,
  journey: Journey,
  lifts: readonly Lift[],
  changed: ReadonlySet<number>,
): Promise<Impact> {
  const learners = await listLearners(scope, journey)
  const anew = lifts.filter((lift) => changed.has(lift.id) && lift.status === 'ready')
  const standing = await listStanding(scope, journey.id, { liftIds: [...changed] })
  const terms = { past: 'skip', launching: false, now: new Date() } as const
  const next = new Map<string, number | null>()
  for (const { outcome, lift, learner, plan } of await draftTurns(scope, journey, anew, learners, terms))
    if (outcome !== 'skipped') next.set(`${lift.id}:${learner.id}`, plan.due_at?.getTime() ?? null)

  const impact: Impact = { moved: 0, kept: 0, cancelled: 0, added: 0 }
  for (const turn of standing) {
    const key = `${turn.lift_id}:${turn.member_id}`
    const due = next.get(key)
    next.delete(key)
    const fate = fateOf(turn, due)
    if (fate) impact[fate] += 1
  }
  impact.added = next.size
  return impact
}

function fateOf(turn: StandingTurn, due: number | null | undefined): keyof Impact | null {
  if (turn.is_settled) return 'kept'
  if (due === undefined) return turn.state === 'cancelled' ? null : 'cancelled'
  return due === (turn.due_at?.getTime() ?? null) ? 'kept' : 'moved'
}
