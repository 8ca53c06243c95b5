/** The tables of a run: printed, and stored in docs/speed.md with machine and date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type Companies, companiesInWords, plannedTooOften } from './companies.ts'
import { type Crowd, crowdedOut, crowdTable } from './crowd.ts'
import { grownTooMuch, growthTable } from './growth.ts'
import { blockedTooLong, type Hydration, hydrationTable } from './hydration.ts'
import { type Launches, sendingInWords, sentTooSlowly } from './launches.ts'
import type { Measured } from './measured.ts'
import { inWords, type OverviewTimes } from './overview.ts'
import { type Processes, processesInWords, tooFewOfTwo } from './processes.ts'
import { table } from './table.ts'
import type { Weight } from './weight.ts'
import { type Work, worksTable } from './works.ts'

export type PageCounts = {
  name: string
  isList: boolean
  statements: number
  transactions: number
  weight: Weight | undefined
}
export type Run = {
  measured: readonly Measured[]
  /** Lists, in companies of each size. */
  lists: readonly Measured[]
  pages: readonly PageCounts[]
  works: readonly Work[]
  crowd: Crowd | null
  companies: Companies | null
  processes: Processes | null
  residentMb: number
  readySeconds: number
  overview: OverviewTimes | null
  launches: Launches | null
  hydration: readonly Hydration[]
}

const PAGE = join(import.meta.dirname, '../../docs/speed.md')
const MARKS = /(<!-- last run -->\n)[\s\S]*(<!-- end of last run -->)/
/** `script`: kB of a list page's scripts. */
const MAX = { statements: 8, transactions: 2, script: 100, residentMb: 250, readySeconds: 5 }

/** Returns how many goals are missed. */
export function report(run: Run, { isKept }: { isKept: boolean }): number {
  const { measured, lists, pages, crowd, companies, processes, overview, launches, hydration } = run
  const works = [...run.works, ...(launches?.works ?? [])]
  const parts = [
    headOf(run),
    measured.length > 0 && costs(measured),
    lists.length > 0 && growthTable(lists),
    pages.length > 0 && counts(pages),
    works.length > 0 && worksTable(works),
    launches && sendingInWords(launches),
    hydration.length > 0 && hydrationTable(hydration),
    crowd && crowdTable(crowd),
    companies && companiesInWords(companies),
    processes && processesInWords(processes),
    overview && inWords(overview),
  ]
  const text = `${parts.filter(Boolean).join('\n\n')}\n`
  console.log(text)
  const misses = missesOf(run)
  console.log(misses.length === 0 ? 'Every goal is met.' : `Missed:\n${misses.join('\n')}`)
  if (isKept) writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(MARKS, `$1\n${text}\n$2`))
  return misses.length
}

function headOf({ residentMb, readySeconds }: Run): string {
  const all = cpus()
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, ${all.length} cores of ${all[0]?.model.trim()}, Node ${process.versions.node}; the site was ready after ${readySeconds.toFixed(1)} s, and its process holds ${residentMb} MB afterwards.`
}

const costs = (measured: readonly Measured[]): string =>
  table(
    ['Work', 'requests/s', 'ms of processor: node + PostgreSQL', 'from–to', 'ratio', 'goal'],
    measured.map(({ row, perSecond, node, postgres, low, high, ratio }) => [
      row.name,
      perSecond.toFixed(0),
      `${node.toFixed(1)} + ${postgres.toFixed(1)}`,
      `${low.toFixed(1)}–${high.toFixed(1)}`,
      ratio?.toFixed(2) ?? '1',
      row.goal?.toFixed(1) ?? (row.most === undefined ? '' : `at most ${row.most} ms`),
    ]),
  )

const counts = (pages: readonly PageCounts[]): string =>
  table(
    ['Page or call', 'statements', 'transactions', 'HTML kB', 'CSS kB', 'script kB'],
    pages.map(({ name, statements, transactions, weight }) => [
      name,
      String(statements),
      String(transactions),
      ...(weight ? [weight.page, weight.styles, weight.scripts].map((kB) => kB.toFixed(1)) : ['', '', '']),
    ]),
  )

function missesOf(run: Run): string[] {
  const {
    measured,
    lists,
    pages,
    crowd,
    companies,
    processes,
    launches,
    hydration,
    residentMb,
    readySeconds,
  } = run
  const slow = measured
    .filter(({ row: { goal }, ratio }) => goal !== undefined && (ratio ?? 0) < goal)
    .map(({ row, ratio }) => `${row.name}: ${ratio?.toFixed(2)} of ${row.against} (goal: ${row.goal})`)
  const dear = measured
    .filter(({ row: { most = Number.POSITIVE_INFINITY }, node, postgres }) => node + postgres > most)
    .map(({ row, node, postgres }) => `${row.name}: ${(node + postgres).toFixed(0)} ms (goal: ${row.most})`)
  const chatty = pages.flatMap(({ name, isList, statements, transactions, weight }) => [
    ...(statements > MAX.statements ? [`${name}: ${statements} statements (goal: ${MAX.statements})`] : []),
    ...(transactions > MAX.transactions
      ? [`${name}: ${transactions} transactions (goal: ${MAX.transactions})`]
      : []),
    ...(isList && weight && weight.scripts > MAX.script
      ? [`${name}: ${weight.scripts.toFixed(0)} kB of script (goal: ${MAX.script})`]
      : []),
  ])
  const heavy =
    residentMb > MAX.residentMb ? [`The process holds ${residentMb} MB (goal: ${MAX.residentMb})`] : []
  const late =
    readySeconds > MAX.readySeconds
      ? [`Ready after ${readySeconds.toFixed(1)} s (goal: ${MAX.readySeconds})`]
      : []
  return [
    ...slow,
    ...dear,
    ...grownTooMuch(lists),
    ...(crowd ? crowdedOut(crowd) : []),
    ...(companies ? plannedTooOften(companies) : []),
    ...(processes ? tooFewOfTwo(processes) : []),
    ...(launches ? sentTooSlowly(launches) : []),
    ...blockedTooLong(hydration),
    ...chatty,
    ...heavy,
    ...late,
  ]
}
