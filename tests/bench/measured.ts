/** Measures rows in turn, round after round, so that all share the machine's conditions. */
import { load, Refused } from './load.ts'
import { processorMs } from './processor.ts'
import type { Row } from './rows.ts'

export type Measured = {
  row: Row
  perSecond: number
  /** Milliseconds of processor time for one request. */
  node: number
  postgres: number
  low: number
  high: number
  ratio: number | undefined
}

type Sample = { perSecond: number; node: number; postgres: number }

export async function measureRows(
  rows: readonly Row[],
  postgres: () => number,
  { rounds, ms }: { rounds: number; ms: number },
): Promise<Measured[]> {
  const samples = new Map(rows.map((row): [Row, Sample[]] => [row, []]))
  for (const row of rows) await warmUp(row, ms)
  for (let round = 0; round < rounds; round++)
    for (const [row, taken] of samples) taken.push(await sample(row, postgres(), ms))
  const costs = new Map([...samples].map(([{ name }, taken]) => [name, median(taken.map(costOf))]))
  return [...samples].map(([row, taken]) => {
    const all = taken.map(costOf)
    const against = costs.get(row.against ?? '')
    return {
      row,
      perSecond: median(taken.map(({ perSecond }) => perSecond)),
      node: median(taken.map(({ node }) => node)),
      postgres: median(taken.map(({ postgres }) => postgres)),
      low: Math.min(...all),
      high: Math.max(...all),
      ratio: against === undefined ? undefined : against / median(all),
    }
  })
}

const REFUSED: Sample = { perSecond: 0, node: Number.POSITIVE_INFINITY, postgres: Number.POSITIVE_INFINITY }
/** The table shows lists that are refused in the largest company; any other refusal ends the bench. */
const unlessList = (row: Row) => (error: unknown) => {
  if (error instanceof Refused && row.grows) return REFUSED
  throw error
}

const warmUp = (row: Row, ms: number) => load(row.ask, ms).catch(unlessList(row))
const sample = (row: Row, postgres: number, ms: number) => take(row, postgres, ms).catch(unlessList(row))

async function take({ ask, pid, usesDatabase }: Row, postgres: number, ms: number): Promise<Sample> {
  const node = processorMs([pid])
  const database = processorMs([postgres])
  const { count, ms: took } = await load(ask, ms)
  return {
    perSecond: (count / took) * 1000,
    node: (processorMs([pid]) - node) / count,
    postgres: usesDatabase ? (processorMs([postgres]) - database) / count : 0,
  }
}

const costOf = ({ node, postgres }: Sample) => node + postgres
const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
