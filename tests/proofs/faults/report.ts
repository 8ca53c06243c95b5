/** A run's report: the table of faults, what was compared, and every miss with its evidence. */
import type { Findings, Tally } from './findings.ts'
import type { Messages, Verdict } from './oracle.ts'

const COLUMNS: readonly [string, (tally: Tally) => string | number][] = [
  ['faults', ({ faults }) => faults],
  ['requests', ({ requests }) => requests],
  ['503', ({ unavailable }) => unavailable],
  ['other 5xx', ({ failures }) => failures],
  ['hung', ({ hung }) => hung],
  ['cut', ({ cut }) => cut],
  ['wrong', ({ wrong }) => wrong],
  ['ended', ({ ended }) => ended],
  ['ready (median)', ({ ready }) => seconds(ready.toSorted((a, b) => a - b)[Math.floor(ready.length / 2)])],
  ['ready (worst)', ({ ready }) => seconds(ready.length > 0 ? Math.max(...ready) : undefined)],
  ['missed', ({ misses }) => misses],
]

const seconds = (ms: number | undefined) => (ms === undefined ? '' : `${(ms / 1000).toFixed(1)} s`)

export function printFaults({ tallies, skipped }: Findings): void {
  const rows = [...tallies].map(([kind, tally]) => [kind, ...COLUMNS.map(([, read]) => String(read(tally)))])
  printTable([['kind', ...COLUMNS.map(([name]) => name)], ...rows])
  for (const [kind, why] of skipped) console.log(`skipped: ${kind}: ${why}`)
}

export function printComparison(verdicts: readonly Verdict[], messages: Messages): void {
  const rows = verdicts.map(({ name, ...counts }) => [name, ...Object.values(counts).map(String)])
  printTable([['acknowledged', 'count', 'lost', 'doubled'], ...rows])
  const { carried, doubled, states } = messages
  const told = [...states].map(([state, count]) => `${count} ${state}`).join(', ')
  console.log(`messages at the carriers: ${carried}, doubled ${doubled} (${told})\n`)
}

export function printMisses({ misses }: Findings): void {
  for (const { kind, at, what, evidence } of misses)
    console.log(`\n${at} ${kind}\n  ${what}\n${evidence.replace(/^/gm, '    ')}`)
}

function printTable(rows: readonly string[][]): void {
  const widths = rows[0]?.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0))) ?? []
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ')
  console.log(`\n${rows.map(line).join('\n')}\n`)
}
