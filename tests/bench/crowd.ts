/** How much one heavy user slows the others: fifty expensive requests at once, beside a person of another tenant. */
import { type Ask, send } from './load.ts'
import { table } from './table.ts'
import type { Person, World } from './world.ts'

const AT_ONCE = 50
/** Enough samples for a p95 that is not the first moment, when all fifty arrive at once. */
const SAMPLES = 300
/** The highest p95 of the other person beside the crowd, as a multiple of theirs alone. */
export const MAX_BESIDE = 2
/** Acceptable answers under overload. */
const REFUSALS = [429, 503]

export type Crowd = { alone: number; beside: number; served: number; refused: number; slowest: number }

export async function measureCrowd(world: World): Promise<Crowd> {
  const all = [...world.people.values()]
  const normal = callsOf(world, all[0], ['/users', '/lljs', '/users/me'])
  const greedy = callsOf(world, all.at(-1), [
    '/users?q=bench.example',
    '/audit_events?subject=fischer',
    '/analytics/by_user',
  ])
  await timesOf(normal, 20)
  const alone = p95(await timesOf(normal, SAMPLES))
  const answers: { status: number; ms: number }[] = []
  let goesOn = true
  const crowd = Array.from({ length: AT_ONCE }, async (_, nth) => {
    while (goesOn) {
      const began = performance.now()
      const { status } = await send(greedy[nth % greedy.length] as Ask)
      if (status !== 200 && !REFUSALS.includes(status))
        throw new Error(`Of fifty at once one was answered ${status}`)
      answers.push({ status, ms: performance.now() - began })
    }
  })
  const beside = p95(await timesOf(normal, SAMPLES))
  goesOn = false
  await Promise.all(crowd)
  const served = answers.filter(({ status }) => status === 200).length
  return {
    alone,
    beside,
    served,
    refused: answers.length - served,
    slowest: Math.max(...answers.map(({ ms }) => ms)),
  }
}

const callsOf = ({ site }: World, person: Person | undefined, paths: readonly string[]): Ask[] =>
  paths.map((path) => ({ origin: site.origin, path: `/api/v1${path}`, headers: person?.asClient ?? {} }))

/** Sends requests one after the other, like a person at work. */
async function timesOf(asks: readonly Ask[], count: number): Promise<number[]> {
  const times: number[] = []
  for (let nth = 0; nth < count; nth++) {
    const ask = asks[nth % asks.length] as Ask
    const began = performance.now()
    const { status } = await send(ask)
    if (status !== 200) throw new Error(`${ask.path}, of somebody who asks little: ${status}`)
    times.push(performance.now() - began)
  }
  return times
}

const p95 = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0

export const crowdTable = ({ alone, beside, served, refused, slowest }: Crowd): string =>
  table(
    ['A greedy tenant: fifty dear requests at once, without a pause', '', 'goal'],
    [
      ['p95 of another tenant, alone', `${alone.toFixed(0)} ms`, ''],
      [
        'p95 of the same beside it',
        `${beside.toFixed(0)} ms, ${(beside / alone).toFixed(1)} times`,
        `${MAX_BESIDE} times`,
      ],
      [
        'its own requests',
        `${served} served, ${refused} told to wait, the slowest after ${(slowest / 1000).toFixed(1)} s`,
        '',
      ],
    ],
  )

export const crowdedOut = ({ alone, beside }: Crowd): string[] =>
  beside > MAX_BESIDE * alone
    ? [`A greedy tenant: p95 of another grows ${(beside / alone).toFixed(1)} times (goal: ${MAX_BESIDE})`]
    : []
