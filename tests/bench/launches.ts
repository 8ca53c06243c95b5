/** The cost of a launch for many people, and how many messages per second are sent, in a temporary database. */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { freePort, startProcess, stopProcess } from '#tests/support/process.ts'
import { makeDraft, ZONES } from './journeys.ts'
import { processorMs } from './processor.ts'
import { type Bench, openBench } from './site.ts'
import type { Work } from './works.ts'

const LAUNCHED_FOR = [10_000, 100_000]
const MESSAGES = 2_000
/** For one sender, with the demo's outbox. */
export const LEAST_PER_SECOND = 200

/** `node` is the process that also serves pages; both are milliseconds of processor time per message. */
type Sent = { perSecond: number; node: number; postgres: number }
export type Launches = { works: Work[]; sentByOne: Sent; sentByTwo: Sent }

export async function measureLaunches(): Promise<Launches> {
  const bench = await openBench()
  try {
    const sentByOne = await send(bench, 'Sent by one')
    const second = await startSender(bench)
    const sentByTwo = await send(bench, 'Sent by two').finally(second.stop)
    const works: Work[] = []
    for (const learners of LAUNCHED_FOR) works.push(await launch(bench, learners))
    return { works, sentByOne, sentByTwo }
  } finally {
    await bench.close()
  }
}

/** Until everyone has a plan. */
async function launch(bench: Bench, learners: number): Promise<Work> {
  const name = `Launch for ${learners.toLocaleString('en-US')} learners`
  const id = await makeDraft(bench, name, 1, learners)
  const spent = () => [processorMs([bench.pid]), processorMs([bench.postgres])] as const
  const [[node, postgres], began] = [spent(), performance.now()]
  await plan(bench, id)
  const [nodeAfter, postgresAfter] = spent()
  return {
    name,
    seconds: (performance.now() - began) / 1000,
    node: nodeAfter - node,
    postgres: postgresAfter - postgres,
  }
}

async function plan({ admin, call }: Bench, id: number): Promise<void> {
  await call('POST', `/lljs/${id}/launch`, {})
  const isPlanned = async () =>
    (await admin.query('select from journey_plans where journey_id = $1', [id])).rowCount === 0
  while (!(await isPlanned())) await sleep(100)
}

/** From the moment all are due until the last is accepted. */
async function send(bench: Bench, name: string): Promise<Sent> {
  const { admin } = bench
  const id = await makeDraft(bench, name, 1, MESSAGES, [inDaytime()])
  await plan(bench, id)
  const ofJourney = 'd.occurrence_id in (select id from occurrences where journey_id = $1)'
  const { rowCount } = await admin.query(
    `update dispatches d set due_at = now(), next_attempt_at = now() where ${ofJourney}`,
    [id],
  )
  if (rowCount !== MESSAGES) throw new Error(`${name}: ${rowCount} messages are planned`)
  const spent = () => [processorMs([bench.pid]), processorMs([bench.postgres])] as const
  const [[node, postgres], began] = [spent(), performance.now()]
  for (;;) {
    const { rows } = await admin.query(
      `select count(*) filter (where state in ('planned', 'claimed', 'sending'))::int as waiting,
         count(*) filter (where state in ('accepted', 'delivered'))::int as sent from dispatches d where ${ofJourney}`,
      [id],
    )
    const { waiting, sent } = rows[0]
    if (waiting === 0 && sent !== MESSAGES) throw new Error(`${name}: ${sent} messages were accepted`)
    if (waiting > 0) {
      await sleep(100)
      continue
    }
    const [nodeAfter, postgresAfter] = spent()
    return {
      perSecond: MESSAGES / ((performance.now() - began) / 1000),
      node: (nodeAfter - node) / MESSAGES,
      postgres: (postgresAfter - postgres) / MESSAGES,
    }
  }
}

/** A zone that is outside quiet hours now. */
function inDaytime(): string {
  const hourIn = (timeZone: string) =>
    Number(new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23', timeZone }).format())
  const found = ZONES.find((zone) => hourIn(zone) >= 10 && hourIn(zone) < 19)
  if (!found) throw new Error('It is night everywhere.')
  return found
}

async function startSender({ env }: Bench) {
  const folder = makeDataDir('bench-sender')
  const sender = await startProcess(folder, await freePort(), { ...env, ROLE: 'worker' })
  return {
    async stop() {
      await stopProcess(sender)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const inWords = ({ perSecond, node, postgres }: Sent): string =>
  `${perSecond.toFixed(0)} a second (${node.toFixed(1)} ms of node, ${postgres.toFixed(1)} of PostgreSQL each)`

export const sendingInWords = ({ sentByOne, sentByTwo }: Launches): string =>
  `Messages into the outbox: one sender ${inWords(sentByOne)}, goal ${LEAST_PER_SECOND}; with another beside it ${inWords(sentByTwo)}.`

export const sentTooSlowly = ({ sentByOne: { perSecond } }: Launches): string[] =>
  perSecond < LEAST_PER_SECOND
    ? [`One sender: ${perSecond.toFixed(0)} messages a second (goal: ${LEAST_PER_SECOND})`]
    : []
