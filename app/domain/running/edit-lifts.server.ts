import { sql } from 'kysely'
import { record, recordChange } from '../audit/audit.server.ts'
import { conflict, invalid, Refusal, stale } from '../errors.ts'
import type { Journey } from '../journeys/journey.ts'
import { isUnderWay } from '../journeys/journey-status.ts'
import { requireOpen } from '../journeys/journeys.server.ts'
import { MAX_SEGMENTS } from '../journeys/segments.ts'
import { DEFAULT_MESSAGE, messageSegments } from '../journeys/template.ts'
import { requireFittingFiles } from '../lifts/block-files.server.ts'
import type { Lift, LiftChange, LiftInput } from '../lifts/lift.ts'
import { getLift, listLifts } from '../lifts/lifts.server.ts'
import { requireObjectives, tagWith } from '../objectives/objectives.server.ts'
import { writeFactsOfLift } from '../occurrences/facts.server.ts'
import { stopSenders } from '../occurrences/settled.server.ts'
import { requireSeen, type Seen } from '../optimistic-lock.ts'
import { nextRuleOf } from '../planning/next-rule.server.ts'
import { applyChanges } from '../planning/preview/draft-changes.ts'
import { replanChanged } from '../planning/replan.server.ts'
import { lockPlannedAtOnce } from '../planning/runs/plan-runs.server.ts'
import { requireSoundRule } from '../planning/validate-rule.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { afterChange } from './changed-lift.server.ts'

const MAX_LIFTS = 200
const RETIRED = 'This lift is retired and cannot come back. Write a new one instead.'

export async function createLift(scope: Scope, journeyId: number, input: LiftInput): Promise<Lift> {
  const journey = await requireOpen(scope, journeyId)
  await requireFittingFiles(scope, input.blocks)
  return insertLift(scope, journey, input)
}

/** Inserts a lift of an imported or copied journey, whose files have been checked already. */
export async function insertLift(scope: Scope, journey: Journey, input: LiftInput): Promise<Lift> {
  const journeyId = journey.id
  requireFittingMessage({ sms_text: DEFAULT_MESSAGE, ...input }, journey)
  await requireSoundRule(scope, journeyId, null, input.schedule)
  await requireObjectives(scope, journeyId, input.objective_ids ?? [])
  const { position, count } = await scope.db
    .selectFrom('lifts')
    .select([sql<number>`coalesce(max(position), 0) + 1`.as('position'), sql<number>`count(*)`.as('count')])
    .where('journey_id', '=', journeyId)
    .executeTakeFirstOrThrow()
  if (count >= MAX_LIFTS) throw new Refusal(409, `A journey has at most ${MAX_LIFTS} lifts.`)
  const { id } = await scope.db
    .insertInto('lifts')
    .values({
      ...toColumns({ sms_text: DEFAULT_MESSAGE, schedule: await nextRuleOf(scope, journey), ...input }),
      title: input.title,
      tenant_id: scope.actor.tenant_id,
      journey_id: journeyId,
      position,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tagWith(scope, 'lift', id, input.objective_ids)
  await afterChange(scope, journey, id, { changed: new Set([id]), following: new Set() })
  await record(scope, 'lift.created', { type: 'lift', id }, { title: input.title })
  return getLift(scope, id)
}

export async function updateLift(scope: Scope, id: number, change: LiftChange): Promise<Lift> {
  const before = await getLift(scope, id)
  const journey = await requireOpen(scope, before.journey_id)
  const lift = await getLift(scope, id)
  if (lift.lock_version !== change.lock_version) throw stale(lift)
  if (lift.status === 'retired') throw new Refusal(409, RETIRED)
  if (change.sms_text !== undefined || change.title !== undefined)
    requireFittingMessage({ sms_text: lift.sms_text, title: lift.title, ...given(change) }, journey)
  await requireFittingFiles(scope, change.blocks, lift.blocks)
  const rule = change.schedule ?? (change.status === 'ready' ? lift.schedule : undefined)
  await requireSoundRule(scope, journey.id, id, rule)
  await requireObjectives(scope, journey.id, change.objective_ids ?? [])

  const lifts = await listLifts(scope, journey.id)
  if (lift.status === 'ready' && (change.status ?? 'ready') !== 'ready' && isUnderWay(journey.status)) {
    const waiting = findWaiting(lifts, id)
    if (waiting) throw conflict('status', waitsFor(waiting))
  }

  const { lock_version, ...input } = change
  await scope.db
    .updateTable('lifts')
    .set({
      ...toColumns(input),
      lock_version: lock_version + 1,
      version: lift.version + 1,
      updated_on: nowIn(scope),
      ...(isOtherwise(lift.schedule, input.schedule) && { scheduled_on: sql`scope_now()` }),
    })
    .where('id', '=', id)
    .execute()
  await tagWith(scope, 'lift', id, input.objective_ids)
  const { schedule, status, closes_after_hours } = input
  const timing = { lift_id: id, schedule, status, closes_after_hours }
  await afterChange(scope, journey, id, applyChanges(journey, lifts, { lifts: [timing] }))
  if (input.required !== undefined && input.required !== lift.required) await writeFactsOfLift(scope, id)
  await recordChange(scope, 'lift.updated', { type: 'lift', id }, { before: lift, after: input })
  return getLift(scope, id)
}

const isOtherwise = (before: Lift['schedule'], schedule: LiftChange['schedule']): boolean =>
  schedule !== undefined && JSON.stringify(schedule) !== JSON.stringify(before)

/** A lift that was sent to somebody is retired; one that nobody has seen is deleted. */
export async function deleteLift(scope: Scope, id: number, seen: Seen): Promise<void> {
  const { journey_id } = await getLift(scope, id)
  const journey = await requireOpen(scope, journey_id)
  const lift = await getLift(scope, id)
  requireSeen(lift, seen)
  const lifts = await listLifts(scope, journey.id)
  const waiting = findWaiting(lifts, id)
  if (waiting) throw new Refusal(409, waitsFor(waiting))
  const changes = applyChanges(journey, lifts, { lifts: [{ lift_id: id, status: 'retired' }] })
  // Waits for messages that are being sent, as a lift that somebody got must not be deleted.
  await stopSenders(scope, journey.id)
  await lockPlannedAtOnce(scope, journey.id, [...changes.changed])
  const sent = await scope.db
    .selectFrom('occurrences')
    .select('id')
    .where('lift_id', '=', id)
    .where('state', 'not in', ['planned', 'cancelled'])
    .executeTakeFirst()
  if (!sent) {
    await record(scope, 'lift.deleted', { type: 'lift', id }, { title: lift.title })
    await scope.db.deleteFrom('lifts').where('id', '=', id).execute()
    if (isUnderWay(journey.status)) await replanChanged(scope, journey, lifts.filter(isNot(id)), changes)
    return
  }
  await scope.db.updateTable('lifts').set({ status: 'retired' }).where('id', '=', id).execute()
  await record(scope, 'lift.retired', { type: 'lift', id }, { title: lift.title })
  await afterChange(scope, journey, id, changes)
}

const isNot = (id: number) => (lift: Lift) => lift.id !== id

/** The lift that would wait for ever for the given one. */
const findWaiting = (lifts: readonly Lift[], id: number): Lift | undefined =>
  lifts.find(
    ({ schedule, status }) =>
      schedule.kind === 'after_lift' && schedule.lift_id === id && status !== 'retired',
  )

const waitsFor = ({ title }: Lift) => `“${title}” waits for this lift: choose another time for it first.`

const given = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

type Message = { sms_text?: string | undefined; title?: string | undefined }
function requireFittingMessage({ sms_text = '', title = '' }: Message, journey: Journey): void {
  const { segments } = messageSegments(sms_text, { journey: journey.name, lift: title })
  if (segments > MAX_SEGMENTS)
    throw invalid({
      sms_text: [
        `The message is as long as ${segments} texts; the limit is ${MAX_SEGMENTS}. Please shorten it.`,
      ],
    })
}

type Given = { [Field in keyof LiftInput]?: LiftInput[Field] | undefined }

function toColumns({ blocks, schedule, objective_ids: _tags, ...plain }: Given) {
  const given = Object.fromEntries(
    Object.entries(plain).filter(([, value]) => value !== undefined),
  ) as Required<Omit<LiftInput, 'blocks' | 'schedule' | 'objective_ids'>>
  return {
    ...given,
    ...(blocks && { blocks: JSON.stringify(blocks) }),
    ...(schedule && { schedule: JSON.stringify(schedule) }),
  }
}
