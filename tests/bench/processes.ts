/** What a second web process adds: the same call to a site with one and to one with two, in turn. */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startProcess, stopProcess } from '#tests/support/process.ts'
import { load } from './load.ts'
import type { World } from './world.ts'

const AT_ONCE = 16
/** Two cores are for the sites, the others for PostgreSQL and the client. */
const CORES_NEEDED = 4
export const LEAST_OF_TWO = 1.8

export type Processes = { one: number; two: number }

export async function measureProcesses(
  world: World,
  { rounds, ms }: { rounds: number; ms: number },
): Promise<Processes> {
  const sites = [await startSite(world, 1), await startSite(world, 2)] as const
  try {
    const [person] = world.people.values()
    const asks = sites.map(({ origin }) => ({
      origin,
      path: '/api/v1/users',
      headers: person?.asClient ?? {},
    }))
    const answers = asks.map((): number[] => [])
    for (let round = -1; round < rounds; round++)
      for (const [nth, ask] of asks.entries()) {
        const { count, ms: took } = await load(ask, ms, AT_ONCE)
        if (round >= 0) answers[nth]?.push((count / took) * 1000)
      }
    const [one = 0, two = 0] = answers.map(median)
    return { one, two }
  } finally {
    for (const { stop } of sites) await stop()
  }
}

async function startSite({ siteEnv, site: { origin } }: World, count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'liftwell-bench-web-'))
  // The tokens in use were issued for that origin.
  const env = { ...siteEnv, PUBLIC_ORIGIN: origin, ROLE: 'web', WEB_CONCURRENCY: String(count) }
  const site = await startProcess(folder, await freePort(), env)
  return {
    origin: site.origin,
    async stop() {
      await stopProcess(site)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

export function processesInWords({ one, two }: Processes): string {
  const cores = availableParallelism()
  const goal =
    cores < CORES_NEEDED
      ? `not judged on ${cores} cores, which one process and its database fill`
      : `goal: ${LEAST_OF_TWO}`
  return `API users list with one web process: ${one.toFixed(0)} requests/s; with two: ${two.toFixed(0)}, ${(two / one).toFixed(2)} times (${goal}).`
}

export const tooFewOfTwo = ({ one, two }: Processes): string[] =>
  availableParallelism() >= CORES_NEEDED && two < LEAST_OF_TWO * one
    ? [`Two web processes: ${(two / one).toFixed(2)} times one (goal: ${LEAST_OF_TWO})`]
    : []
