/** What an edit of a launched journey would do to the messages that have not left. */
import type { Scope } from '../scope.server.ts'
import type { Changed } from './changes.ts'
import { listLearners } from './learners.server.ts'
import { draftTurns } from './planning.server.ts'
import type { Impact } from './preview.ts'
import { momentOfPlanning } from './replanning.server.ts'
import { listStanding, type StandingTurn } from './standing.server.ts'

/** What is changed is planned anew, for everybody; what is rewritten leaves at its time. */
export async function measureImpact(scope: Scope, draft: Changed): Promise<Impact> {
  const { journey, planned, changed, rewritten } = draft
  const learners = await listLearners(scope, journey)
  const anew = planned.filter((lift) => changed.has(lift.id) && lift.status === 'ready')
  const standing = await listStanding(scope, journey.id, {
    liftIds: [...new Set([...changed, ...rewritten])],
  })
  const terms = {
    ...({ past: 'skip', launching: false } as const),
    now: await momentOfPlanning(scope, journey),
    ...suppositionsOf(draft),
  }
  const next = new Map<string, number | null>()
  for (const { outcome, lift, learner, plan } of await draftTurns(scope, journey, anew, learners, terms))
    if (outcome !== 'skipped') next.set(`${lift.id}:${learner.id}`, plan.due_at?.getTime() ?? null)

  const impact: Impact = { moved: 0, kept: 0, updated: 0, cancelled: 0, added: 0 }
  for (const turn of standing) {
    const key = `${turn.lift_id}:${turn.member_id}`
    const fate = changed.has(turn.lift_id) ? fateOf(turn, next.get(key)) : stays(turn)
    next.delete(key)
    if (fate) impact[fate] += 1
    if (fate === 'kept' && !turn.is_settled && rewritten.has(turn.lift_id)) impact.updated += 1
  }
  impact.added += next.size
  return impact
}

/** What planning is to take for true although it is not stored. */
export const suppositionsOf = ({ previous, quiet_hours }: Changed) => ({
  ...(previous && { previous }),
  ...(quiet_hours && { settings: { quiet_hours } }),
})

const stays = (turn: StandingTurn): 'kept' | null => (turn.state === 'cancelled' ? null : 'kept')

type Fate = 'moved' | 'kept' | 'cancelled' | 'added'

/** What was cancelled before is no message: planned again, it is one more. */
function fateOf(turn: StandingTurn, due: number | null | undefined): Fate | null {
  if (turn.is_settled) return 'kept'
  if (turn.state === 'cancelled') return due === undefined ? null : 'added'
  if (due === undefined) return 'cancelled'
  return due === (turn.due_at?.getTime() ?? null) ? 'kept' : 'moved'
}
