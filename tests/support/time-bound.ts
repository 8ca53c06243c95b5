/** Which tests go by the time of day: `npm run prove:hours` runs these at every hour, or on every kind of day. */
import { readFileSync } from 'node:fs'

/** Days or hours are counted, on somebody’s clock. */
const CLOCK = /due_at|\b(zoneAt|nextMonday|dateIn)\b|getUTC|\bTemporal\b|Plain(Date|Time)/
/** A journey is launched, so messages leave or rest. */
const LAUNCH = /\blaunch\w*\(|\/launch\b|send_now|\boccurrences\b/
/** Their world launches for them. */
const ALSO = ['assessments', 'assessment-forms', 'assessment-readers'].map(
  (file) => `tests/api/assessments/${file}.test.ts`,
)

/** Nothing in them goes by the clock of a person. */
const NEVER: readonly string[] = [
  // What is planned is only there to be read, changed, or kept from others.
  'tests/api/isolation/attacks.test.ts',
  'tests/api/audit/audit-coverage.test.ts',
  'tests/api/isolation/catalogue.test.ts',
  'tests/api/calls/lists-of-many.test.ts',
  'tests/api/isolation/matrix-holders.test.ts',
  'tests/api/isolation/matrix.test.ts',
  'tests/api/isolation/walls.test.ts',
  // It is noon where their people are; they are many, or wait for carriers and a database.
  'tests/api/sending/carrier-outage.test.ts',
  'tests/api/sending/fair-sending.test.ts',
  'tests/api/sending/killed-sender.test.ts',
  'tests/api/planning/long-plans.test.ts',
  'tests/api/sending/unknown-messages.test.ts',
  'tests/api/processes/workers-away.test.ts',
]

/** Long ones: what goes by the hour in them is tried in others as well. */
const BY_DAY = [
  'tests/api/sending/journeys-sending.test.ts',
  'tests/api/sending/look-ups.test.ts',
  'tests/api/planning/schedules-impact.test.ts',
  'tests/api/planning/testing-clock.test.ts',
]

/** Null: nothing in it does; undefined: nothing in it is known to. Of screens, those that show a time. */
export function boundTo(file: string): 'hour' | 'day' | null | undefined {
  if (NEVER.includes(file)) return null
  const text = readFileSync(file, 'utf8')
  const isScreen = file.startsWith('tests/screens/')
  if (CLOCK.test(text)) return isScreen || BY_DAY.includes(file) ? 'day' : 'hour'
  if (ALSO.includes(file) || (LAUNCH.test(text) && !isScreen)) return 'day'
}
