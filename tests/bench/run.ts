/**
 * `npm run bench`: processor time of each page and call as a ratio to what the bare framework or driver needs for the
 * same, with statements and weight, into docs/speed.md. `-- --only users` for some rows, `-- --full` with a million
 * people, `-- --check` fails where a goal is missed, `-- --statements` prints what each page asks of the database.
 */
import { parseArgs } from 'node:util'
import { hangUp, send } from './load.ts'
import { type Measured, measureRows } from './measured.ts'
import { type PageCounts, report } from './report.ts'
import { type Row, rowsOf } from './rows.ts'
import { watchStatements } from './statements.ts'
import { weigh } from './weight.ts'
import { openWorld, type World } from './world.ts'

const { values: wanted } = parseArgs({
  options: {
    only: { type: 'string' },
    full: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    statements: { type: 'boolean', default: false },
  },
})
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const ROUND_MS = Number(process.env.BENCH_ROUND_MS ?? 1500)

/** Those whose names have the word, and what they are compared with. */
function choose(rows: readonly Row[]): Row[] {
  const { only } = wanted
  if (!only) return [...rows]
  const chosen = rows.filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()))
  return rows.filter((row) => chosen.includes(row) || chosen.some(({ against }) => against === row.name))
}

async function countPages(world: World, rows: readonly Row[]): Promise<PageCounts[]> {
  const visitors = new Map([...world.people.values()].map((one) => [one.asBrowser, one.visitor]))
  const watch = await watchStatements(world.admin, world.databaseLog)
  const pages: PageCounts[] = []
  for (const row of rows.filter(({ isPage }) => isPage)) {
    const { statements, transactions, texts } = await watch.count(() => send(row.ask))
    if (wanted.statements) console.log(`\n${row.name}\n${texts.map((text) => `  ${text}`).join('\n')}`)
    const visitor = visitors.get(row.ask.headers)
    const weight = visitor ? await weigh(visitor, row.ask.path) : undefined
    pages.push({ name: row.name, statements, transactions, weight })
  }
  await watch.stop()
  return pages
}

async function run(): Promise<{ measured: Measured[]; pages: PageCounts[]; residentMb: number }> {
  const world = await openWorld({ isFull: wanted.full })
  try {
    const rows = choose(await rowsOf(world))
    const pages = await countPages(world, rows)
    const measured = await measureRows(rows, world.postgres, { rounds: ROUNDS, ms: ROUND_MS })
    return { measured, pages, residentMb: world.residentMb() }
  } finally {
    hangUp()
    await world.close()
  }
}

const isEverything = !wanted.only || 'schedule'.includes(wanted.only)
const misses = report(await run(), { isKept: !wanted.only })
if (isEverything) await import('./schedule.ts')
process.exit(wanted.check && misses > 0 ? 1 : 0)
