/** When a manual reminder would leave, or that it would not. */
import { nextAllowed, sameTimeLater } from '../../hours/next-allowed.ts'
import { readClockAndHours } from '../../journeys/clock-and-hours.server.ts'
import type { Journey } from '../../journeys/journey.ts'
import { nowIn } from '../../scope/clock.server.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { channelOf } from '../learners.server.ts'
import type { Standing, Unanswered } from './unanswered-learners.server.ts'

export type Fate = Exclude<Standing, 'next'> | 'now' | 'morning'
type Found = Pick<Unanswered, 'zone' | 'is_texted' | 'standing' | 'closes_at'>

/** `dueAt`: the due time of a reminder that will be sent. */
export async function fatesIn(scope: Scope, journey: Pick<Journey, 'id' | 'channels'>) {
  const clock = await readClockAndHours(scope, journey.id)
  const now = nowIn(scope)
  const dueAt = (fate: Fate, zone: string | null, member_id: number): Date => {
    const who = { ...clock, zone, member_id, send_days: [] }
    if (fate === 'tomorrow') return sameTimeLater(now, now, who)
    return fate === 'morning' ? nextAllowed(now, who) : now
  }
  // Computed once per zone: people in it differ by minutes only.
  const firstDues = new Map<string, Date>()
  const firstDue = (fate: Fate, zone: string | null) => {
    const key = `${fate} ${zone}`
    const known = firstDues.get(key) ?? dueAt(fate, zone, 0)
    firstDues.set(key, known)
    return known
  }
  const unlessClosed = ({ zone, is_texted, standing }: Found): Fate => {
    if (standing !== 'next') return standing
    const isResting = channelOf(journey, is_texted) !== 'in_app' && firstDue('morning', zone) > now
    return isResting ? 'morning' : 'now'
  }
  const fateOf = (found: Found): Fate => {
    const fate = unlessClosed(found)
    return found.closes_at !== null && found.closes_at <= firstDue(fate, found.zone) ? 'closed' : fate
  }
  return { fateOf, dueAt }
}

export const isLeaving = (fate: Fate): boolean => fate === 'now' || fate === 'morning' || fate === 'tomorrow'
