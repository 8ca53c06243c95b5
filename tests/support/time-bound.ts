/** Which tests depend on the time of day: `npm run prove:hours` runs these at every hour, or on every kind of day. */
import { readFileSync } from 'node:fs'

/** Counts days or hours in some zone. */
const CLOCK = /due_at|\b(zoneAt|nextMonday|dateIn)\b|getUTC|\bTemporal\b|Plain(Date|Time)/
/** Launches a journey, so messages are sent or wait for the end of quiet hours. */
const LAUNCH = /\blaunch\w*\(|\/launch\b|send_now|\boccurrences\b/
/** These tests' worlds launch journeys. */
const ALSO = ['assessments', 'assessment-forms', 'assessment-readers'].map(
  (file) => `tests/api/assessments/${file}.test.ts`,
)

/** Tests that match above but do not depend on anyone's clock. */
const NEVER: readonly string[] = [
  // Plans exist only to be read, changed, or hidden from others.
  'tests/api/isolation/attacks.test.ts',
  'tests/api/audit/audit-coverage.test.ts',
  'tests/api/isolation/catalogue.test.ts',
  'tests/api/calls/lists-of-many.test.ts',
  'tests/api/isolation/matrix-holders.test.ts',
  'tests/api/isolation/matrix.test.ts',
  'tests/api/isolation/walls.test.ts',
  // It is noon for their people; they are about many people, or about carriers and a database that fail.
  'tests/api/sending/carrier-outage.test.ts',
  'tests/api/sending/fair-sending.test.ts',
  'tests/api/sending/killed-sender.test.ts',
  'tests/api/planning/long-plans.test.ts',
  'tests/api/sending/unknown-messages.test.ts',
  'tests/api/processes/workers-away.test.ts',
]

/** Long tests, tried only at different days: other tests cover what depends on the hour. */
const BY_DAY = [
  'tests/api/sending/journeys-sending.test.ts',
  'tests/api/sending/look-ups.test.ts',
  'tests/api/planning/schedules-impact.test.ts',
  'tests/api/planning/testing-clock.test.ts',
]

/** Null: independent of time; undefined: not known to depend on it. Screens count if they show a time. */
export function boundTo(file: string): 'hour' | 'day' | null | undefined {
  if (NEVER.includes(file)) return null
  const text = readFileSync(file, 'utf8')
  const isScreen = file.startsWith('tests/screens/')
  if (CLOCK.test(text)) return isScreen || BY_DAY.includes(file) ? 'day' : 'hour'
  if (ALSO.includes(file) || (LAUNCH.test(text) && !isScreen)) return 'day'
}
