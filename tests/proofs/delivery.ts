/**
 * `npm run prove:delivery`: more than 10,000 messages by SMTP, by Twilio and, from the middle on, by Vonage, through
 * every fault of `prove:faults`, with several senders, a clock that moves forward and back over two nights of
 * daylight-saving changes, and a restored backup. Then the carriers' journal is compared with the rows.
 * `-- --messages n` makes a smaller run, `--senders n` uses 2 to 4 processes, `--kinds a,b` only some faults, each
 * `--rounds n` times, `--seed n` repeats a run's random choices.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chance } from './analytics/chance.ts'
import { Clock } from './delivery/clock.ts'
import { MESSAGES_EACH, PLACE, sendByHand, setRest, writeCourses, ZONES } from './delivery/courses.ts'
import { Journal } from './delivery/journal.ts'
import { judge, readGround, type Verdict } from './delivery/oracle.ts'
import { passOn, settleDue } from './delivery/passing.ts'
import { type Backup, restoreBackup, takeBackup } from './delivery/restored.ts'
import { Storm } from './delivery/storm.ts'
import { withAdmin } from './faults/database.ts'
import { Findings } from './faults/findings.ts'
import { KINDS } from './faults/kinds.ts'
import { makeLearners, signIn } from './faults/people.ts'
import { AUTHOR, openSite } from './faults/site.ts'

/** The first of these weeks has the spring change of clocks in Europe, the second the autumn change of the south. */
const WRITTEN_AT = new Date('2027-03-25T07:00:00Z')
const START_ON = '2027-03-26'
/** Some messages are never sent: those held after the restored backup, and their reminders. */
const SENT_SHARE = 0.85
const SHOWN = 12

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '10000' },
    senders: { type: 'string', default: '3' },
    kinds: { type: 'string' },
    rounds: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  },
})
const [messages, senders] = [Number(values.messages), Number(values.senders)]
if (!(messages > 0) || !(senders >= 2 && senders <= 4))
  throw new Error('--messages is a number, --senders one from 2 to 4')
const wanted = values.kinds?.split(',')
const kinds = KINDS.filter(({ name }) => !wanted || wanted.some((words) => name.includes(words)))
const count = Math.ceil(messages / MESSAGES_EACH / SENT_SHARE)

const folder = mkdtempSync(join(tmpdir(), 'liftwell-delivery-'))
const clock = new Clock(WRITTEN_AT)
const journal = new Journal(join(folder, 'taken.jsonl'))
const findings = new Findings()
const site = await openSite(findings, {
  workers: senders - 1,
  env: clock.env,
  carriers: { now: () => clock.now(), onTaken: (message, carrier) => journal.write(message, carrier) },
})
for (const signal of ['SIGINT', 'SIGTERM', 'uncaughtException'] as const)
  process.once(signal, async (why) => {
    console.error(why)
    site.product.kill()
    await site.close().catch(() => {})
    process.exit(1)
  })

const courses = await withAdmin(site.database, async (admin) => {
  const learners = await makeLearners(admin, AUTHOR, count, ZONES)
  await setRest(admin, count)
  return writeCourses({ witness: site.witness, author: site.cast.adam, admin }, learners, START_ON)
})
const planned = courses.map(
  ({ lifts, learners }) => `${lifts.length * learners.length} (${lifts[0]} to ${lifts.at(-1)})`,
)
say(`${count} learners; lifts to come: ${planned.join(', ')}`)
const author = { write: async () => null, launch: async () => false }
const storm = new Storm({ ...site, author }, kinds, Number(values.rounds))
const weather = storm.run(() => journal.count / messages)
const forgotten = { from: 0, until: 0 }
let backup: Backup | undefined

/** Events by the share of messages that have been sent. */
const events: { after: number; happen(): Promise<void> }[] = [
  { after: 0.1, happen: sendTextsByHand },
  { after: 0.4, happen: changeCarrier },
  { after: 0.6, happen: backUp },
  { after: 0.7, happen: bringBack },
]
const { upTo } = chance(Number(values.seed))
for (let nth = 0; await passOn(site.database, clock, nth, upTo); nth++) {
  if (nth % 10 === 0) say(`${journal.count} messages, ${sum(storm.counts)} faults`)
  const [next] = events
  if (!next || journal.count < next.after * messages) continue
  events.shift()
  await storm.calm(next.happen)
}
await storm.end()
await weather
await settleDue(site.database, clock)
await conclude()

async function sendTextsByHand(): Promise<void> {
  const course = courses.find(({ isByHand }) => isByHand)
  const { database, dataDir, witness, cast, product } = site
  const origin = `http://localhost:${product.parts[0]?.port}`
  // Their session has long expired.
  const person = await withAdmin(database, (admin) => signIn(admin, dataDir, origin, cast.adam.email))
  if (course) await sendByHand({ witness, author: person }, course)
}

/** Messages handed to the previous carrier and not answered can still be looked up there. */
async function changeCarrier(): Promise<void> {
  for (const part of site.product.parts) {
    Object.assign(part.env, site.carriers.vonage)
    await site.product.end(part, 'SIGTERM')
    await site.product.start(part)
  }
  say('texts leave by Vonage')
}

async function backUp(): Promise<void> {
  backup = await takeBackup(site)
}

async function bringBack(): Promise<void> {
  if (!backup) return
  say(await restoreBackup(site, backup))
  Object.assign(forgotten, { from: backup.at, until: Date.now() })
}

async function conclude(): Promise<void> {
  const ground = await withAdmin(site.database, (admin) => readGround(admin, PLACE))
  const verdict = judge({ ground, journal: journal.read(), courses, clock, forgotten })
  await site.product.stop()
  await site.close()
  journal.close()
  clock.close()
  rmSync(folder, { recursive: true, force: true })
  const ended = [...findings.tallies.values()].reduce((all, tally) => all + tally.ended, 0)
  if (journal.count < messages)
    verdict.findings.push({ what: `only ${journal.count} of ${messages} messages`, evidence: '' })
  if (events.length > 0) verdict.findings.push({ what: 'it ended before all had happened', evidence: '' })
  if (ended > 0) verdict.findings.push({ what: `${ended} processes ended by themselves`, evidence: '' })
  report(verdict)
  process.exit(verdict.findings.length === 0 ? 0 : 1)
}

function report({ counts, findings: found }: Verdict): void {
  for (const [what, all] of Map.groupBy(found, (finding) => finding.what))
    for (const { evidence } of all.slice(0, SHOWN)) console.log(`FOUND ${what}: ${evidence}`)
  console.log(`\n${journal.count} messages through ${sum(storm.counts)} faults, ${senders} senders`)
  for (const [kind, times] of storm.counts) console.log(`  ${times} x ${kind}`)
  for (const [kind, why] of findings.skipped) console.log(`  skipped: ${kind}: ${why}`)
  const back = clock.moves.filter(({ from, to }) => to < from).length
  console.log(
    `the clock was moved ${clock.moves.length} times, ${back} of them back, to ${clock.now().toISOString()}`,
  )
  for (const [what, times] of [...counts].toSorted()) console.log(`  ${String(times).padStart(6)} ${what}`)
  console.log(`load of the machine: ${loadavg()[2]?.toFixed(1)} on ${availableParallelism()} processors`)
  console.log(`${found.length} findings`)
}

function sum(times: ReadonlyMap<string, number>): number {
  return [...times.values()].reduce((all, one) => all + one, 0)
}

function say(text: string): void {
  console.log(`${findings.clock()} ${clock.now().toISOString().slice(0, 16)} ${text}`)
}
