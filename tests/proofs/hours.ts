/**
 * `npm run prove:hours`: runs the tests that depend on the time of day with the clock of Node and PostgreSQL moved to
 * each of 24 hours of a Sunday, to a Monday, the end of a month and of a year, the daylight-saving changes in Europe and
 * America, and 29 February. Screens and long tests depend on the day only, and run at two hours of the Sunday.
 * `-- --at 2028-02-29T09:00Z` for given moments, `-- tests/api/planning` for some files, `-- --all` for every test.
 */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { boundTo } from '#tests/support/time-bound.ts'
import { findLibrary } from './moved-clock.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { at: { type: 'string', multiple: true, default: [] }, all: { type: 'boolean', default: false } },
})

const twoDigits = (hour: number) => String(hour).padStart(2, '0')
const SUNDAY = Array.from({ length: 24 }, (_, hour) => `2027-01-17T${twoDigits(hour)}:20Z`)
const DAYS = [
  '2027-01-18T07:30Z',
  '2027-01-31T22:50Z',
  '2027-12-31T23:40Z',
  // Both nights of both changes: in Europe at 01:00 UTC, in America at 02:00 local time.
  '2027-03-28T00:40Z',
  '2027-10-31T00:40Z',
  '2027-03-14T06:40Z',
  '2027-11-07T05:40Z',
  '2028-02-29T09:00Z',
  '2028-02-29T23:30Z',
]
const moments = values.at.length > 0 ? values.at : [...SUNDAY, ...DAYS]
const ONLY_THE_HOUR = new Set(SUNDAY.filter((_, hour) => hour % 12 !== 0))

const suites = globSync(['app/**/*.test.ts', 'tests/{api,screens}/**/*.test.ts']).sort()
const ofTheHour = suites.filter((file) => boundTo(file) === 'hour')
const bound = suites.filter((file) => boundTo(file))

function filesAt(moment: string): string[] {
  if (positionals.length > 0) return positionals
  if (values.all) return suites
  return ONLY_THE_HOUR.has(moment) ? ofTheHour : bound
}

const library = findLibrary()
const failed: string[] = []
for (const at of moments) {
  const began = Date.now()
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/proofs/hours.config.ts'],
      ...['--reporter=dot', '--silent=true', ...filesAt(at)],
    ],
    {
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: {
        ...process.env,
        NO_COLOR: '1',
        LD_PRELOAD: library,
        FAKETIME: offsetTo(at),
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    },
  )
  const counts = /^\s*Tests\s+(.*)$/m.exec(stdout)?.[1] ?? 'nothing ran'
  const minutes = ((Date.now() - began) / 60_000).toFixed(1)
  console.log(`${at}  ${status === 0 ? 'passed' : 'FAILED'}  ${counts}  (${minutes} min)`)
  if (status === 0) continue
  failed.push(at)
  console.log(stderr.slice(-8_000))
}
console.log(
  `${moments.length - failed.length} passed, ${failed.length} failed; ${ofTheHour.length} files each, ${bound.length} on each kind of day`,
)
process.exit(failed.length === 0 ? 0 : 1)

/** Each process moves its clock by the same offset from the real one, so all of them agree. */
function offsetTo(moment: string): string {
  const seconds = Math.round((Date.parse(moment) - Date.now()) / 1000)
  if (Number.isNaN(seconds)) throw new Error(`${moment} is no moment: write 2028-02-29T09:00Z.`)
  return `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s`
}
