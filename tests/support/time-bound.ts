/** Which tests go by the time of day: `npm run prove:hours` runs these at every hour, or on every kind of day. */
import { readFileSync } from 'node:fs'

/** A journey is launched, so messages leave or rest; or days are counted, on somebody’s clock. */
const MARKS =
  /\blaunch\w*\(|\/launch\b|send_now|due_at|\boccurrences\b|\b(zoneAt|nextMonday|dateIn|onDay)\b|getUTC|\bTemporal\b|Plain(Date|Time)/

/** Their world launches for them. */
const ALSO = ['tests/api/assessments.test.ts']

/** Nothing in them goes by the clock of a person. */
const NEVER: readonly string[] = [
  // What is planned is only there to be read, changed, or kept from others.
  'tests/api/attacks.test.ts',
  'tests/api/audit-coverage.test.ts',
  'tests/api/catalogue.test.ts',
  'tests/api/matrix-holders.test.ts',
  'tests/api/matrix.test.ts',
  'tests/api/walls.test.ts',
  // It is noon where their people are; they wait for carriers, a database and an ended process.
  'tests/api/carrier-outage.test.ts',
  'tests/api/killed-sender.test.ts',
  'tests/api/workers-away.test.ts',
]

/** Long ones: what depends on the hour in them is tried in others as well. */
const BY_DAY = [
  'tests/api/assessments.test.ts',
  'tests/api/authoring.test.ts',
  'tests/api/fair-sending.test.ts',
  'tests/api/long-plans.test.ts',
  'tests/api/purging.test.ts',
  'tests/api/statements.test.ts',
  'tests/api/testing-clock.test.ts',
  'tests/api/testing-six-weeks.test.ts',
  'tests/api/unknown-messages.test.ts',
]

/** What a screen shows changes with the day. */
/** Null: nothing in it does; undefined: nothing in it is known to. */
export function boundTo(file: string): 'hour' | 'day' | null | undefined {
  if (NEVER.includes(file)) return null
  if (!ALSO.includes(file) && !MARKS.test(readFileSync(file, 'utf8'))) return
  return BY_DAY.includes(file) || file.startsWith('tests/screens/') ? 'day' : 'hour'
}
