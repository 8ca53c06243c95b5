/** The tables of a run: printed, and kept in docs/speed.md with machine and date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Measured } from './measured.ts'
import type { Weight } from './weight.ts'

export type PageCounts = {
  name: string
  statements: number
  transactions: number
  weight: Weight | undefined
}
type Run = { measured: readonly Measured[]; pages: readonly PageCounts[]; residentMb: number }

const PAGE = join(import.meta.dirname, '../../docs/speed.md')
const MARKS = /(<!-- last run -->\n)[\s\S]*(<!-- end of last run -->)/
const MOST = { statements: 8, transactions: 2, script: 100, residentMb: 250 }

/** How many goals are missed. */
export function report(run: Run, { isKept }: { isKept: boolean }): number {
  const text = `${headOf(run)}\n\n${costs(run.measured)}\n\n${counts(run.pages)}\n`
  console.log(text)
  const misses = missesOf(run)
  console.log(misses.length === 0 ? 'Every goal is met.' : `Missed:\n${misses.join('\n')}`)
  if (isKept) writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(MARKS, `$1\n${text}\n$2`))
  return misses.length
}

function headOf({ residentMb }: Run): string {
  const all = cpus()
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, ${all.length} cores of ${all[0]?.model.trim()}, Node ${process.versions.node}; the site's process holds ${residentMb} MB afterwards.`
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
      row.goal?.toFixed(1) ?? '',
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

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function missesOf({ measured, pages, residentMb }: Run): string[] {
  const slow = measured
    .filter(({ row: { goal }, ratio }) => goal !== undefined && (ratio ?? 0) < goal)
    .map(({ row, ratio }) => `${row.name}: ${ratio?.toFixed(2)} of ${row.against} (goal: ${row.goal})`)
  const chatty = pages.flatMap(({ name, statements, transactions, weight }) => [
    ...(statements > MOST.statements ? [`${name}: ${statements} statements (goal: ${MOST.statements})`] : []),
    ...(transactions > MOST.transactions
      ? [`${name}: ${transactions} transactions (goal: ${MOST.transactions})`]
      : []),
    ...(weight && weight.scripts > MOST.script
      ? [`${name}: ${weight.scripts.toFixed(0)} kB of script (goal: ${MOST.script})`]
      : []),
  ])
  const heavy =
    residentMb > MOST.residentMb ? [`The process holds ${residentMb} MB (goal: ${MOST.residentMb})`] : []
  return [...slow, ...chatty, ...heavy]
}
