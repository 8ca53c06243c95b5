/** Pausing, resuming, completing and archiving a journey. */
import { sql } from 'kysely'
import { record } from '../audit/audit.server.ts'
import { Refusal } from '../errors.ts'
import { notify } from '../notifications/notifications.server.ts'
import { cancelWaiting, holdWaiting, releaseWaiting } from '../schedules/waiting.server.ts'
import type { Scope } from '../scope.server.ts'
import { activateDue } from './activating.server.ts'
import { type Journey, type JourneyStatus, mayMove } from './journey.ts'
import { getJourney, requireEditable } from './journeys.server.ts'
import type { ResumeInput } from './lifecycle.ts'

/** Nothing leaves until it goes on; what has left stays answerable. */
export async function pauseJourney(scope: Scope, id: number): Promise<Journey> {
  await move(scope, id, 'paused')
  const held = await holdWaiting(scope, id)
  await record(scope, 'journey.paused', { type: 'journey', id }, { held })
  return getJourney(scope, id)
}

export async function resumeJourney(scope: Scope, id: number, { mode }: ResumeInput): Promise<Journey> {
  const journey = await requireEditable(scope, id)
  if (journey.status !== 'paused') throw new Refusal(409, 'Only a journey that is paused is resumed.')
  const released = await releaseWaiting(scope, journey, mode)
  await setStatus(scope, id, 'scheduled')
  await activateDue(scope, id)
  await record(scope, 'journey.resumed', { type: 'journey', id }, { mode, ...released })
  return getJourney(scope, id)
}

/** What has not left is cancelled; answers stay. */
export async function completeJourney(scope: Scope, id: number): Promise<Journey> {
  await move(scope, id, 'completed')
  const cancelled = await cancelWaiting(scope, id, 'completed')
  await record(scope, 'journey.completed', { type: 'journey', id }, { cancelled })
  const journey = await getJourney(scope, id)
  await notify(scope, await peopleOf(scope, journey), {
    notification_type: 'success',
    content: { title: journey.name, message: 'The journey is complete. What was answered stays.' },
  })
  return journey
}

export async function archiveJourney(scope: Scope, id: number): Promise<Journey> {
  await move(scope, id, 'archived')
  const cancelled = await cancelWaiting(scope, id, 'archived')
  await record(scope, 'journey.archived', { type: 'journey', id }, { cancelled })
  return getJourney(scope, id)
}

/** Its author, and all who take part. */
async function peopleOf({ actor, db }: Scope, { id, author_id }: Journey): Promise<number[]> {
  const members = await db
    .selectFrom('members')
    .select('user_id')
    .where('journey_id', '=', id)
    .where('state', '!=', 'withdrawn')
    .execute()
  const people = new Set([author_id, ...members.map(({ user_id }) => user_id)])
  return [...people].filter((person) => person !== actor.user_id)
}

async function move(scope: Scope, id: number, to: JourneyStatus): Promise<void> {
  const { status } = await requireEditable(scope, id)
  if (!mayMove(status, to)) throw new Refusal(409, `A journey that is ${status} cannot be ${to}.`)
  await setStatus(scope, id, to)
}

async function setStatus({ db }: Scope, id: number, status: JourneyStatus): Promise<void> {
  await db
    .updateTable('journeys')
    .set({
      status,
      paused_at: status === 'paused' ? sql`now()` : null,
      updated_on: sql`now()`,
      lock_version: sql`lock_version + 1`,
    })
    .where('id', '=', id)
    .execute()
}
