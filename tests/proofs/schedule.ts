/**
 * `npm run prove:schedule`: random rules in every zone around every change of its clock from 2024 to 2030. Every lift
 * comes exactly once, never in quiet hours or on a day that is not chosen, and at most one a day. The same holds for
 * what launches write into a real database, for people in every zone, which must equal their previews; and for lifts
 * after one that is completed at any hour of the day.
 */
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { quietHoursOf } from '#app/domain/hours/quiet-hours.ts'
import { WEEKDAYS } from '#app/domain/hours/wall-time.ts'
import type { ScheduleRule } from '#app/domain/lifts/schedule-rule.ts'
import {
  type MemberPlanInput,
  type PastPolicy,
  type PlannedOccurrence,
  planMember,
} from '#app/domain/planning/participant-plan.ts'
import type { Pause } from '#app/domain/planning/pauses.ts'
import { clockOf } from './clock.ts'
import { proveCompletions } from './schedule-completions.ts'
import { provePreviews } from './schedule-previews.ts'

const CASES_PER_MOMENT = 4
const LEAST_CASES = 20_000
const DAY = 86_400_000
const FIRST = Temporal.Instant.from('2024-01-01T00:00:00Z')
const LAST = Temporal.Instant.from('2031-01-01T00:00:00Z')

const ZONES = Intl.supportedValuesOf('timeZone')
const moments = ZONES.flatMap((zone) => transitionsOf(zone).map((at) => ({ zone, at })))

/** Every change of the zone's clock; a zone without any gets 29 February. */
function transitionsOf(zone: string): number[] {
  const found: number[] = []
  let clock = FIRST.toZonedDateTimeISO(zone)
  for (;;) {
    const next = clock.getTimeZoneTransition('next')
    if (!next || Temporal.Instant.compare(next.toInstant(), LAST) >= 0) break
    found.push(next.epochMilliseconds)
    clock = next
  }
  return found.length > 0 ? found : [Date.UTC(2024, 1, 29, 2), Date.UTC(2028, 1, 29, 2)]
}

const time = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
const days = fc.subarray([...WEEKDAYS], { minLength: 1 })
const night = fc.constantFrom(
  {},
  { quiet_hours: { from: '18:00', to: '10:30' } },
  { quiet_hours: { from: '23:30', to: '05:00' } },
)

const rule = (at: number, lifts: number): fc.Arbitrary<ScheduleRule> =>
  fc.oneof(
    fc.record({
      kind: fc.constant('absolute' as const),
      date: fc
        .integer({ min: -3, max: 3 })
        .map((shift) => new Date(at + shift * DAY).toISOString().slice(0, 10)),
      time,
    }),
    fc.record({
      kind: fc.constant('offset' as const),
      from: fc.constantFrom('start' as const, 'joined' as const, 'previous_lift_completed' as const),
      days: fc.nat(6),
      time: fc.option(time),
    }),
    fc.record({
      kind: fc.constant('weekly' as const),
      week: fc.integer({ min: 1, max: 3 }),
      weekday: fc.constantFrom(...WEEKDAYS),
      time: fc.option(time),
    }),
    fc.record({
      kind: fc.constant('after_lift' as const),
      lift_id: fc.integer({ min: 1, max: lifts }),
      min_hours: fc.nat(72),
    }),
    fc.record({ kind: fc.constant('manual' as const), at_launch: fc.boolean() }),
  )

const arbitrary = (zone: string, at: number): fc.Arbitrary<MemberPlanInput> =>
  fc
    .record({
      rules: fc.array(rule(at, 5), { minLength: 1, maxLength: 5 }),
      closes: fc.array(fc.option(fc.integer({ min: 1, max: 96 })), { minLength: 5, maxLength: 5 }),
      lead: fc.integer({ min: -36, max: 120 }),
      send_days: days,
      default_send_time: time,
      mode: fc.constantFrom('recipient' as const, 'journey' as const),
      isKnown: fc.boolean(),
      at_once: fc.boolean(),
      past: fc.constantFrom<PastPolicy>('skip', 'send_now', 'one_a_day', 'todo_only'),
      done: fc.array(fc.option(fc.integer({ min: -72, max: 0 })), { minLength: 5, maxLength: 5 }),
      settings: night,
      paused: fc.array(
        fc.record({ after: fc.integer({ min: 1, max: 240 }), hours: fc.integer({ min: 1, max: 120 }) }),
        {
          maxLength: 2,
        },
      ),
      id: fc.nat(100_000),
    })
    .map((one) => {
      const now = new Date(at - one.lead * 3_600_000)
      const lifts = one.rules.map((schedule, index) => ({
        id: index + 1,
        position: index + 1,
        schedule,
        closes_after_hours: one.closes[index] ?? null,
      }))
      return {
        lifts,
        journey: {
          start_on: new Date(at - 2 * DAY).toISOString().slice(0, 10),
          launched_now: one.at_once,
          launched_at: new Date(now.getTime() - (one.paused.length > 0 ? 30 * DAY : 0)),
          timezone_mode: one.mode,
          timezone: zone,
          default_send_time: one.default_send_time,
          send_days: one.send_days,
        },
        member: { id: one.id, zone: one.isKnown ? zone : null, joined_at: now },
        tenant_zone: zone,
        channel: 'email' as const,
        settings: one.settings,
        now,
        previous: new Map(lifts.slice(1).map((lift) => [lift.id, lift.id - 1])),
        completed: new Map(
          one.done.flatMap((hours, index) =>
            hours === null ? [] : [[index + 1, new Date(now.getTime() + hours * 3_600_000)] as const],
          ),
        ),
        pauses: { all: pausesBefore(now, one.paused), stated: { start: null, lifts: new Map() } },
        taken: [],
        past: one.past,
        at_once: one.at_once,
      }
    })

/** Pauses in sequence, within the previous thirty days. */
function pausesBefore(now: Date, paused: readonly { after: number; hours: number }[]): Pause[] {
  let at = now.getTime() - 30 * DAY
  return paused.map(({ after, hours }) => {
    const from = at + after * 3_600_000
    at = from + hours * 3_600_000
    return { from: new Date(from), to: new Date(at) }
  })
}

const localOf = (at: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDateTime()

/** What was due when a pause began moves by its length on the clock, or by as much as its day and hour require. */
function pauseFaults(input: MemberPlanInput, occurrences: readonly PlannedOccurrence[]): string[] {
  const { pauses, ...rest } = input
  if (!pauses?.all.length) return []
  const bare = new Map(planMember(rest).map((occurrence) => [occurrence.lift_id, occurrence]))
  return occurrences.flatMap(({ lift_id, plan, isPast }) => {
    const rule = input.lifts.find((lift) => lift.id === lift_id)?.schedule
    const without = bare.get(lift_id)
    const isFromStart =
      rule?.kind === 'absolute' ||
      rule?.kind === 'weekly' ||
      (rule?.kind === 'offset' && rule.from === 'start')
    if (!isFromStart || !plan.due_at || !without?.plan.due_at || isPast || without.isPast) return []
    if (without.plan.shifted.includes('daily_cap')) return []
    let least = without.plan.due_at
    for (const { from, to } of pauses.all) {
      if (least < from) continue
      const length = localOf(from, input.tenant_zone).until(localOf(to, input.tenant_zone))
      const local = localOf(least, plan.zone).add(length)
      least = new Date(local.toZonedDateTime(plan.zone, { disambiguation: 'earlier' }).epochMilliseconds)
    }
    return plan.due_at < least ? [`lift ${lift_id} is not later by its pauses`] : []
  })
}

/** What is wrong with a plan, in words; empty if nothing is. */
function faultsOf(input: MemberPlanInput, occurrences: readonly PlannedOccurrence[], zone: string): string[] {
  const ids = occurrences.map((occurrence) => occurrence.lift_id).sort((one, other) => one - other)
  const isEachOnce = JSON.stringify(ids) === JSON.stringify(input.lifts.map((lift) => lift.id))
  const taken = new Set<string>()
  const faults = occurrences.flatMap((occurrence) => {
    const { due_at, expired } = occurrence.plan
    // A manual send is not moved: it goes out at once.
    if (!due_at || occurrence.outcome !== 'planned' || occurrence.by_hand) return []
    const clock = clockOf(zone, due_at)
    const isSecond = !expired && taken.has(clock.day)
    if (!expired) taken.add(clock.day)
    return [...(isSecond ? [`a second lift on ${clock.day}`] : []), ...clockFaults(input, occurrence, clock)]
  })
  return isEachOnce ? faults : [...faults, `lifts ${ids} instead of each once`]
}

/** Never missed: if its hour is past, it comes in the next open one. */
const isOfJoiningDay = (rule?: ScheduleRule): boolean =>
  rule?.kind === 'offset' && rule.from === 'joined' && rule.days === 0

/** A lift that follows one left out is not left out with it. */
const followsAnother = (rule?: ScheduleRule): boolean =>
  rule?.kind === 'after_lift' || (rule?.kind === 'offset' && rule.from === 'previous_lift_completed')

function clockFaults(
  { lifts, settings, member, journey, past }: MemberPlanInput,
  { lift_id, plan, isPast }: PlannedOccurrence,
  { day, time: at, weekday }: ReturnType<typeof clockOf>,
): string[] {
  const { from, to } = quietHoursOf(settings, member.zone !== null)
  const rule = lifts.find((lift) => lift.id === lift_id)?.schedule
  const isUnexplained = plan.shifted.length === 0 && plan.planned_local !== `${day}T${at}`
  const faults: [boolean, string][] = [
    [isPast && past === 'skip' && !followsAnother(rule) && !isOfJoiningDay(rule), 'is past and not skipped'],
    [at >= from || at < to, `at ${at}, between ${from} and ${to}`],
    [!journey.send_days.includes(weekday), `on a ${weekday}`],
    [plan.planned_local !== null && `${day}T${at}` < plan.planned_local, `before ${plan.planned_local}`],
    [isUnexplained, `at ${day}T${at} instead of ${plan.planned_local}, and nobody says why`],
  ]
  return faults.flatMap(([isWrong, what]) => (isWrong ? [`lift ${lift_id} ${what}`] : []))
}

let passed = 0
let paused = 0
const failures: string[] = []
const rounds = Math.max(CASES_PER_MOMENT, Math.ceil(LEAST_CASES / moments.length))
for (const [index, { zone, at }] of moments.entries())
  for (const input of fc.sample(arbitrary(zone, at), { numRuns: rounds, seed: index })) {
    const occurrences = planMember(input)
    const faults = [...faultsOf(input, occurrences, zone), ...pauseFaults(input, occurrences)]
    if (occurrences.some((occurrence) => occurrence.plan.shifted.includes('pause'))) paused += 1
    // Planning again, in any order, gives the same result: preview and production agree.
    const again = planMember({ ...structuredClone(input), lifts: [...input.lifts].reverse() })
    if (JSON.stringify(again) !== JSON.stringify(occurrences))
      faults.push('planned again, it comes out otherwise')
    if (faults.length === 0) passed += 1
    else
      failures.push(`${zone} ${new Date(at).toISOString()}: ${faults.join('; ')}\n  ${JSON.stringify(input)}`)
  }
console.log(
  `${ZONES.length} zones, ${moments.length} moments, ${passed + failures.length} cases, ${paused} of them after a pause`,
)

const previews = await provePreviews(moments)
console.log(
  `${previews.occurrences} occurrences planned in a database; ${previews.shown} people were shown theirs before`,
)
const completions = await proveCompletions()
console.log(
  `${completions.cases} completions, one at every hour of the day in every zone; ${completions.written} people's written to a database`,
)
for (const failure of [...failures, ...previews.failures, ...completions.failures].slice(0, 5))
  console.error(failure)
const failed = failures.length + previews.failures.length + completions.failures.length
console.log(`${passed + previews.occurrences - previews.failures.length} passed, ${failed} failed`)
process.exit(failed === 0 && passed >= LEAST_CASES && previews.occurrences >= LEAST_CASES ? 0 : 1)
