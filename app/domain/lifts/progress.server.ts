/** A learner's progress in the journey of a lift. */
import { AWAITED, inVain } from '../occurrences/waits-in-vain.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { Occurrence } from './find-occurrence.server.ts'
import { hasEnded, isClosedFor } from './find-occurrence.server.ts'
import type { LiftPage } from './page.ts'

/** States of an occurrence that is due and not done; its message may still be pending. */
const WAITS = ['planned', 'due', 'sent', 'opened', 'responded', 'suppressed']

const listOccurrences = ({ db }: Scope, { member_id }: Occurrence) =>
  db
    .selectFrom('occurrences as o')
    .innerJoin('lifts as l', 'l.id', 'o.lift_id')
    .select(['o.lift_id', 'o.state', 'o.due_at', 'o.closes_at', 'l.title', 'l.position'])
    .select(AWAITED.as('awaited'))
    .where('o.member_id', '=', member_id)
    .where('o.state', '!=', 'cancelled')
    .orderBy('o.due_at', (order) => order.asc().nullsLast())
    .orderBy('l.position')
    .execute()

/** It waits for the completion of a lift that has closed. */
export async function neverComes(scope: Scope, occurrence: Occurrence): Promise<boolean> {
  if (occurrence.due_at) return false
  return inVain(await listOccurrences(scope, occurrence), nowIn(scope)).has(occurrence.lift_id)
}

export async function progressOf(
  scope: Scope,
  occurrence: Occurrence,
): Promise<Pick<LiftPage, 'progress' | 'next'>> {
  const occurrences = await listOccurrences(scope, occurrence)
  const now = nowIn(scope)
  const never = inVain(occurrences, now)
  const others = occurrences.filter((one) => one.lift_id !== occurrence.lift_id)
  const isOpen = (one: (typeof others)[number]) =>
    WAITS.includes(one.state) &&
    one.due_at !== null &&
    one.due_at <= now &&
    !isClosedFor({ ...one, answers_until: null }, now)
  const next = hasEnded(occurrence, now)
    ? undefined
    : (others.find(isOpen) ?? others.find((one) => isToCome(one, now) && !never.has(one.lift_id)))
  return {
    progress: {
      completed: occurrences.filter((one) => one.state === 'completed').length,
      total: occurrences.length,
    },
    next: next
      ? {
          id: next.lift_id,
          title: next.title,
          due_at: isTimed(next, occurrence) ? next.due_at.toISOString() : null,
          is_open: isOpen(next),
        }
      : null,
  }
}

type Planned = { state: string; due_at: Date | null }
const isToCome = ({ state, due_at }: Planned, now: Date): boolean =>
  (state === 'planned' || state === 'held') && (due_at === null || due_at > now)
/** An occurrence held by a pause or a person has no time until it resumes. */
const isTimed = <One extends Planned>(
  one: One,
  { journey_status }: Occurrence,
): one is One & { due_at: Date } => one.due_at !== null && one.state !== 'held' && journey_status !== 'paused'
