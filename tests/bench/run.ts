/**
 * `npm run bench`: writes the processor time of each page and call, as a ratio to the bare framework or driver, with
 * statements and weight, into docs/speed.md. `-- --only users` runs some rows, `-- --check` fails if a goal is missed,
 * `-- --statements` prints the statements of each page. The overview of ten million facts (BENCH_FACTS) comes first:
 * they are written once, in a quarter of an hour, and kept.
 */
import { parseArgs } from 'node:util'
import { measureCompanies } from './companies.ts'
import { measureCrowd } from './crowd.ts'
import { listRowsOf } from './growth.ts'
import { measureHydration } from './hydration.ts'
import { measureLaunches } from './launches.ts'
import { hangUp, send } from './load.ts'
import { measureRows } from './measured.ts'
import { inWords, slowOf, timeOverview } from './overview.ts'
import { measureProcesses } from './processes.ts'
import { type PageCounts, type Run, report } from './report.ts'
import { type Row, rowsOf } from './rows.ts'
import { watchStatements } from './statements.ts'
import { weigh } from './weight.ts'
import { measureWorks } from './works.ts'
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
const FACTS = Number(process.env.BENCH_FACTS ?? 10_000_000)
const ROUND_MS = Number(process.env.BENCH_ROUND_MS ?? 1500)
/** Fewer rounds, because there are hundreds of lists. */
const LIST_ROUNDS = { rounds: Math.min(3, ROUNDS), ms: Math.min(500, ROUND_MS) }

/** Rows whose names contain the word, and the rows they are compared with. */
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
    pages.push({ name: row.name, isList: row.isList ?? false, statements, transactions, weight })
  }
  await watch.stop()
  return pages
}

const isMeant = (name: string) => !wanted.only || name.includes(wanted.only.toLowerCase())

async function run(): Promise<Omit<Run, 'overview' | 'launches'>> {
  const world = await openWorld()
  try {
    const rows = choose(await rowsOf(world))
    const pages = await countPages(world, rows)
    const measured = await measureRows(rows, world.postgres, { rounds: ROUNDS, ms: ROUND_MS })
    const lists = await measureRows(choose(await listRowsOf(world)), world.postgres, LIST_ROUNDS)
    const works = isMeant('sign-in import export') ? await measureWorks(world) : []
    const crowd = isMeant('greedy tenant') ? await measureCrowd(world) : null
    const companies = isMeant('many companies') ? await measureCompanies(world) : null
    const processes = isMeant('two processes') ? await measureProcesses(world, LIST_ROUNDS) : null
    const hydration = isMeant('hydration') ? await measureHydration(world) : []
    const found = { measured, lists, pages, works, crowd, companies, processes, hydration }
    return { ...found, residentMb: world.residentMb(), readySeconds: world.site.readyIn / 1000 }
  } finally {
    hangUp()
    await world.close()
  }
}

const overview = isMeant('overview') ? await timeOverview(FACTS) : null
if (overview) console.log(inWords(overview))
const launches = isMeant('launch messages') ? await measureLaunches() : null
const misses =
  wanted.only === 'overview' ? 0 : report({ ...(await run()), overview, launches }, { isKept: !wanted.only })
if (isMeant('schedule')) await import('./schedule.ts')
const isSlow = overview !== null && slowOf(overview).length > 0
process.exit(wanted.check && (isSlow || misses > 0) ? 1 : 0)
