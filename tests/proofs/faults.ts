/**
 * `npm run prove:faults`: the built product under mixed reads and writes, with 210 faults of 15 kinds, one after the
 * other. `-- --database <admin url>` uses an external PostgreSQL, `--kinds a,b` and `--rounds n` run a part.
 */
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { withAdmin } from './faults/database.ts'
import { Findings } from './faults/findings.ts'
import { Author } from './faults/journeys.ts'
import type { Kind } from './faults/kind.ts'
import { KINDS } from './faults/kinds.ts'
import { beginLoad } from './faults/load.ts'
import { compareInvitations, compareMessages, compareWrites, settle } from './faults/oracle.ts'
import { makeLearners } from './faults/people.ts'
import { watchRecovery } from './faults/recovery.ts'
import { printComparison, printFaults, printMisses } from './faults/report.ts'
import { AUTHOR, openSite } from './faults/site.ts'

const ROUNDS = 14
/** Quiet time between two faults. */
const PAUSE_MS = 300
/** More than a run can use, even one that waits for what does not recover. */
const LEARNERS = 2000
const LEARNERS_OF_A_FAULT = 60
const MAX_MS_TO_STOP = 10_000

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    kinds: { type: 'string' },
    rounds: { type: 'string', default: String(ROUNDS) },
  },
})
const wanted = values.kinds?.split(',')
const kinds = KINDS.filter(({ name }) => !wanted || wanted.some((words) => name.includes(words)))
const rounds = Number(values.rounds)
if (kinds.length === 0 || !(rounds > 0))
  throw new Error(`--kinds are parts of these names: ${KINDS.map(({ name }) => name).join(', ')}`)

const findings = new Findings()
const count = LEARNERS + kinds.length * rounds * LEARNERS_OF_A_FAULT
const ground = await openSite(findings, { url: values.database })
const learners = await withAdmin(ground.database, (admin) => makeLearners(admin, AUTHOR, count))
const { witness, ledger, cast } = ground
const author = new Author(witness, ledger, { author: cast.adam, reader: cast.uri, learners })
const site = { ...ground, author }
type Site = typeof site
for (const signal of ['SIGINT', 'SIGTERM', 'uncaughtException'] as const)
  process.once(signal, async (why) => {
    console.error(why)
    site.product.kill()
    await site.close().catch(() => {})
    process.exit(1)
  })

const possible = kinds.filter((kind) => {
  const why = kind.whyNot?.(site)
  if (why) findings.skipped.set(kind.name, why)
  return !why
})
const total = possible.length * rounds
console.log(`${total} faults of ${possible.length} kinds, ${findings.skipped.size} kinds skipped`)

const endLoad = beginLoad(site)
let made = 0
for (let round = 0; round < rounds; round++) for (const kind of possible) await makeFault(site, kind, round)
await endLoad()
await conclude(site)
process.exit(findings.missed === 0 ? 0 : 1)

async function makeFault(site: Site, kind: Kind, round: number): Promise<void> {
  const { author, witness } = site
  const draft = await author.write(1)
  findings.begin(kind.name)
  witness.excuse = kind.excuse ?? 'none'
  const before = { ...findings.tally() }
  await kind.happen(site, round).catch((error) => findings.miss('the fault could not be made', String(error)))
  if (draft) await watchRecovery(site, draft)
  await sleep(PAUSE_MS)
  witness.excuse = 'none'
  const after = findings.tally()
  const ready = ((after.ready.at(-1) ?? 0) / 1000).toFixed(1)
  console.log(
    `${findings.clock()} ${++made}/${total} ${kind.name}: ready after ${ready} s, ` +
      `${after.requests - before.requests} requests, ${after.unavailable - before.unavailable} of them 503, ` +
      `${after.misses - before.misses} missed`,
  )
}

async function conclude({ database, product, carriers, ledger, close }: Site): Promise<void> {
  findings.kind = 'in the end'
  const { verdicts, messages } = await withAdmin(database, async (admin) => {
    await settle(admin)
    const verdicts = await compareWrites(admin, ledger, findings)
    verdicts.push(await compareInvitations(admin, ledger, carriers.invited(), findings))
    return { verdicts, messages: await compareMessages(admin, carriers.carried(), findings) }
  })
  for (const { code, ms } of await product.stop())
    if (code !== 0 || ms > MAX_MS_TO_STOP) findings.miss(`SIGTERM ended with code ${code} after ${ms} ms`)
  await close()
  printMisses(findings)
  printFaults(findings)
  printComparison(verdicts, messages)
  const faults = [...findings.tallies.values()].reduce((sum, tally) => sum + tally.faults, 0)
  console.log(`load of the machine: ${loadavg()[2]?.toFixed(1)} on ${availableParallelism()} processors`)
  console.log(`${faults} faults of ${possible.length} kinds, ${findings.missed} missed`)
}
