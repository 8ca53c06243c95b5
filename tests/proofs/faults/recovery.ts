/** Whether everything recovers after a fault: processes ready, pages served, and a new launch sent by both carriers. */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Setting } from './kind.ts'
import type { LaunchedJourney } from './ledger.ts'

const READY_MS = 5000
/** Watches this long, to tell late from never. */
const WATCHED_MS = 60_000

type Check = { name: string; at: number | null; isGood(): Promise<boolean> }

/** Resolves once everything has recovered, or certainly never will. */
export async function watchRecovery(setting: Setting, draft: LaunchedJourney): Promise<void> {
  const { product, witness, findings, carriers, author, cast } = setting
  const began = performance.now()
  const launch = { name: 'the launch is acknowledged', at: null as number | null }
  const launched = author.launch(draft).then(() => {
    launch.at = msSince(began)
  })
  const checks: Check[] = [
    ...product.parts.map((part) => ({
      name: `"${part.name}" is ready`,
      isGood: () => isReady(`http://localhost:${part.port}`),
    })),
    {
      name: 'a page is served',
      isGood: async () => (await witness.ask({ path: '/users', headers: cast.adam.page })).status === 200,
    },
    ...draft.learners.map(({ channel, address }) => ({
      name: `a message leaves by ${channel}`,
      isGood: async () => carriers.hasTaken(channel, address),
    })),
  ].map((check) => ({ ...check, at: null }))

  await Promise.all(checks.map((check) => watch(check, began)))
  await launched
  const last = Math.max(...checks.map(({ at }) => at ?? WATCHED_MS))
  findings.tally().ready.push(last)
  if (last <= READY_MS) return
  const order = [...checks, launch].map(({ name, at }) => `${at ?? 'never'} ms: ${name}`).join('\n')
  for (const { name, at } of checks.filter(({ at }) => at === null || at > READY_MS))
    findings.miss(
      at === null ? `not within a minute: ${name}` : `only after ${at} ms: ${name}`,
      `${draft.name}\n${order}\n${findings.lastLines()}`,
    )
}

async function watch(check: Check, began: number): Promise<void> {
  while (msSince(began) < WATCHED_MS) {
    if (await check.isGood()) {
      check.at = msSince(began)
      return
    }
    await sleep(100)
  }
}

const msSince = (began: number) => Math.round(performance.now() - began)

async function isReady(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(3000) }).catch(() => null)
  return answer?.status === 200
}
