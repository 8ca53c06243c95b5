/** A journey and its lifts with the changes that an author is considering. Pure. */
import type { Journey } from '#app/domain/journeys/journey.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import type { Restated } from '#app/domain/planning/pauses.ts'
import type { DraftChanges } from './preview.ts'

type LiftDraft = Partial<NonNullable<DraftChanges['lifts']>[number]>

export type Changed = {
  journey: Journey
  planned: Lift[]
  changed: ReadonlySet<number>
  /** Of these, lifts that wait for the lift before, which has changed: they have no date of their own that could be past. */
  following: ReadonlySet<number>
  /** Lifts whose messages would have other content or another channel. */
  rewritten: ReadonlySet<number>
  /** The ready lift before each one, if it changes for any. */
  previous?: ReadonlyMap<number, number>
  quiet_hours?: DraftChanges['quiet_hours']
  restated: Restated
}

export function applyChanges(stored: Journey, lifts: readonly Lift[], changes: DraftChanges): Changed {
  const { channels, ...timing } = given(changes.journey ?? {})
  const all = lifts.map((lift) => lift.id)
  const isMoved = differs(stored, timing) || changes.quiet_hours !== undefined
  const isOtherwise = differs(stored, { channels })
  const changed = new Set<number>(isMoved || isOtherwise ? all : [])
  const rewritten = new Set<number>(isOtherwise ? all : [])
  const restated = { start: differs(stored, { start_on: timing.start_on }), lifts: new Set<number>() }
  const planned = lifts.map((lift) => {
    const { content, ...change }: LiftDraft = changes.lifts?.find((one) => one.lift_id === lift.id) ?? {}
    delete change.lift_id
    if (content) rewritten.add(lift.id)
    if (differs(lift, change)) changed.add(lift.id)
    if (differs(lift, { schedule: change.schedule })) restated.lifts.add(lift.id)
    return { ...lift, ...given(change) }
  })
  const placed = changes.order ? inOrder(planned, changes.order) : planned
  const previous = previousOf(placed)
  const was = previousOf(lifts)
  const isOther = placed.filter(({ id }) => previous.get(id) !== was.get(id))
  const following = new Set(
    isOther.filter((lift) => follows(lift) && !changed.has(lift.id)).map((lift) => lift.id),
  )
  for (const id of following) changed.add(id)
  if (changes.added) {
    placed.push({ ...NEW_LIFT, ...changes.added, journey_id: stored.id, position: lifts.length + 1 })
    changed.add(NEW_LIFT.id)
    restated.lifts.add(NEW_LIFT.id)
  }
  return {
    journey: { ...stored, ...timing, ...(channels && { channels }) },
    planned: placed,
    ...{ changed, following, rewritten, restated },
    ...(isOther.length > 0 && { previous }),
    ...(changes.quiet_hours && { quiet_hours: changes.quiet_hours }),
  }
}

const NEW_LIFT = {
  ...{ id: 0, sms_text: '', email_subject: '', blocks: [], prompts: [], objective_ids: [] },
  ...{ required: true, completion_rule: 'all_required_prompts', est_minutes: 3, status: 'ready' },
  ...{ version: 1, lock_version: 0, created_on: '', updated_on: '' },
} as const satisfies Omit<Lift, 'title' | 'schedule' | 'closes_after_hours' | 'journey_id' | 'position'>

function previousOf(lifts: readonly Pick<Lift, 'id' | 'position' | 'status'>[]): Map<number, number> {
  const previous = new Map<number, number>()
  let last: number | undefined
  for (const lift of [...lifts].sort((one, other) => one.position - other.position)) {
    if (last !== undefined) previous.set(lift.id, last)
    if (lift.status === 'ready') last = lift.id
  }
  return previous
}

/** Whether it waits for the lift before it. */
const follows = ({ schedule }: Pick<Lift, 'schedule'>): boolean =>
  schedule.kind === 'offset' && schedule.from === 'previous_lift_completed'

const inOrder = (lifts: readonly Lift[], ids: readonly number[]): Lift[] =>
  lifts
    .map((lift) => ({ ...lift, position: ids.indexOf(lift.id) + 1 }))
    .sort((one, other) => one.position - other.position)

type Given<Values> = { [Field in keyof Values]?: Exclude<Values[Field], undefined> }
const given = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>

const differs = <Thing extends object>(thing: Thing, change: object): boolean =>
  Object.entries(given(change)).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(thing[name as keyof Thing]),
  )
