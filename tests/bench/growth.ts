/** How much more a list costs in a company of a million people than in one of a thousand. */
import { asksOf, MAX_GROWTH } from './lists.ts'
import type { Measured } from './measured.ts'
import type { Row } from './rows.ts'
import { table } from './table.ts'
import type { World } from './world.ts'

/** The same question to companies of each size. */
export async function listRowsOf(world: World): Promise<Row[]> {
  const rows: Row[] = []
  for (const [people, person] of world.people)
    for (const { list, question, path } of await asksOf(world, person))
      rows.push({
        name: `Growth of ${list}, ${question}, ${people.toLocaleString('en-US')} people`,
        ask: { origin: world.site.origin, path: `/api/v1${path}`, headers: person.asClient },
        pid: world.site.pid,
        usesDatabase: true,
        grows: { question: `${list}: ${question}`, people },
      })
  return rows
}

type Grown = { question: string; costs: Map<number, Measured>; growth: number }

function grownOf(measured: readonly Measured[]): Grown[] {
  const all = new Map<string, Map<number, Measured>>()
  for (const one of measured) {
    if (!one.row.grows) continue
    const { question, people } = one.row.grows
    all.set(question, (all.get(question) ?? new Map()).set(people, one))
  }
  return [...all].map(([question, costs]) => {
    const [small, ...others] = [...costs.values()].map(({ node, postgres }) => node + postgres)
    const big = others.at(-1)
    return { question, costs, growth: small && big ? big / small : 1 }
  })
}

function inWords(one: Measured | undefined): string {
  if (!one) return ''
  const { node, postgres, perSecond } = one
  return Number.isFinite(node)
    ? `${node.toFixed(1)} + ${postgres.toFixed(1)} (${perSecond.toFixed(0)})`
    : 'refused'
}

export function growthTable(measured: readonly Measured[]): string {
  const sizes = [...new Set(measured.map(({ row }) => row.grows?.people ?? 0))].sort(
    (one, other) => one - other,
  )
  return table(
    [
      'Call: ms of processor, node + PostgreSQL (requests/s)',
      ...sizes.map((size) => `${size.toLocaleString('en-US')} people`),
      `growth (goal: ${MAX_GROWTH})`,
    ],
    grownOf(measured).map(({ question, costs, growth }) => [
      question,
      ...sizes.map((size) => inWords(costs.get(size))),
      costs.size > 1 ? growth.toFixed(2) : '',
    ]),
  )
}

export const grownTooMuch = (measured: readonly Measured[]): string[] =>
  grownOf(measured)
    .filter(({ growth }) => growth > MAX_GROWTH)
    .map(({ question, growth }) => `${question}: grows ${growth.toFixed(2)} times (goal: ${MAX_GROWTH})`)
