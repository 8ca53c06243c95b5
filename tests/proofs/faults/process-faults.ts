/** Faults of our own processes: killed, or told to stop while busy. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kind, Setting } from './kind.ts'
import type { Part } from './product.ts'

const BUSY = 20
/** How long it is busy before it is told to stop. */
const BUSY_MS = 800
const MAX_MS = 10_000

const isWeb = ({ env }: Part) => env.ROLE !== 'worker'
const workers = ({ product }: Setting) => product.parts.filter((part) => !isWeb(part))

/** Begins to restart it: the fault is over then. */
function comeBack({ product, findings }: Setting, part: Part): void {
  product
    .start(part)
    .catch((error) => findings.miss(`"${part.name}" did not start again`, String(error).slice(0, 2000)))
}

async function kill(setting: Setting, parts: readonly Part[], round: number): Promise<void> {
  const part = parts[round % parts.length]
  if (!part) return
  await setting.product.end(part, 'SIGKILL')
  comeBack(setting, part)
}

export const PROCESS_FAULTS: readonly Kind[] = [
  {
    name: 'process killed',
    excuse: 'cut',
    happen: (setting, round) => kill(setting, setting.product.parts.filter(isWeb), round),
  },
  {
    name: 'worker killed',
    whyNot: (setting) => (workers(setting).length > 0 ? null : 'one process does all'),
    happen: (setting, round) => kill(setting, workers(setting), round),
  },
  {
    name: 'SIGTERM under 20 busy connections',
    excuse: 'refused',
    async happen(setting) {
      const { product, findings } = setting
      const part = product.parts.find(isWeb)
      if (!part) throw new Error('Nobody serves pages.')
      const crowd = Array.from({ length: BUSY }, (_, index) => stayBusy(setting, index))
      await sleep(BUSY_MS)
      const { code, signal, ms } = await product.end(part, 'SIGTERM')
      const served = (await Promise.all(crowd)).reduce((sum, count) => sum + count, 0)
      if (code !== 0 || ms > MAX_MS)
        findings.miss(`SIGTERM ended with ${signal ?? `code ${code}`} after ${ms} ms`, findings.lastLines())
      if (served < BUSY) findings.miss(`only ${served} requests were served before the end`)
      comeBack(setting, part)
    },
  },
]

/** Sends requests on one connection until nothing listens any longer; returns how many were answered. */
async function stayBusy({ witness, cast }: Setting, index: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { page } = index % 2 ? cast.adam : cast.aya
  let served = 0
  for (;;) {
    const came = await witness.ask({ path: '/lljs/manage', headers: page }, [200], agent)
    if (came.status === 0) break
    served += 1
  }
  agent.destroy()
  return served
}
