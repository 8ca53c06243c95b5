/** Which tests go by the time of day: `npm run prove:hours` runs them at every hour, and no others. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect } from 'vitest'
import { withAdmin } from './postgres.ts'

/** A journey is launched, so messages leave or rest; or days are counted, on somebody’s clock. */
const MARKS =
  /\blaunch\w*\(|\/launch\b|send_now|due_at|\boccurrences\b|\b(zoneAt|nextMonday|dateIn|onDay)\b|getUTC|\bTemporal\b|Plain(Date|Time)/

/** Their world launches for them. */
const ALSO = ['tests/api/assessments.test.ts']

/** What is planned in them is only there to be read, changed, or kept from others. */
const NEVER = [
  'tests/api/attacks.test.ts',
  'tests/api/audit-coverage.test.ts',
  'tests/api/catalogue.test.ts',
  'tests/api/matrix-holders.test.ts',
  'tests/api/matrix.test.ts',
  'tests/api/walls.test.ts',
]

export const isTimeBound = (file: string): boolean =>
  !NEVER.includes(file) && (ALSO.includes(file) || MARKS.test(readFileSync(file, 'utf8')))

/** A test that plans messages without being known for it fails. */
export async function requireKnownForTime(databaseUrl: string): Promise<void> {
  const path = expect.getState().testPath
  const file = path && relative(process.cwd(), path)
  if (!file || NEVER.includes(file) || isTimeBound(file)) return
  const { rowCount } = await withAdmin(databaseUrl, (admin) =>
    admin.query('select from occurrences union all select from dispatches limit 1'),
  )
  if (rowCount) throw new Error(`${file} plans messages: tests/support/time-bound.ts should know it.`)
}
