/** `npm run bench`: a journey of 200 lifts and 10,000 learners opens its schedule in the time of a small one. */
import { makeDraft, makeRunning } from './journeys.ts'
import { type Bench, measure, openBench, spend } from './site.ts'
import { weigh } from './weight.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 41)
/** Occurrences are written for this many lifts of the big journey: 10,000 each. */
const LIFTS_WITH_TURNS = Number(process.env.BENCH_LIFTS_WITH_TURNS ?? 40)

/** Learners of the measured launch: all 10,000 (`-- --full`) take some minutes. */
const LEARNERS_TO_LAUNCH_FOR = process.argv.includes('--full')
  ? 10_000
  : Number(process.env.BENCH_LEARNERS ?? 200)

async function compare(
  { asAuthor, call, origin }: Bench,
  what: string,
  small: number,
  big: number,
): Promise<void> {
  const open = (id: number) => async () => {
    const answer = await asAuthor.visit(`/lljs/${id}/schedule`)
    const html = await answer.text()
    if (answer.status !== 200 || !html.includes('Lift 1'))
      throw new Error(`${answer.status} ${html.slice(0, 300)}`)
  }
  const ask = (id: number) => () => call('GET', `/lljs/${id}/schedule`)
  const [smallPage = 0, bigPage = 0] = await measure(ROUNDS, open(small), open(big))
  const [smallCall = 0, bigCall = 0] = await measure(ROUNDS, ask(small), ask(big))
  report(`${what}, page`, smallPage, bigPage)
  const [smallWork = 0, bigWork = 0] = await spend(origin, ROUNDS, open(small), open(big))
  report(`${what}, page, the server's own work`, smallWork, bigWork)
  report(`${what}, API`, smallCall, bigCall)
}

function report(what: string, small: number, big: number): void {
  console.log(
    `${what}: small ${small.toFixed(1)} ms, big ${big.toFixed(1)} ms, ratio ${(big / small).toFixed(2)} (goal: at most 1.3)`,
  )
}

/** Answers per second to eight clients that ask without a pause. */
async function throughput(seconds: number, ask: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + seconds * 1000
  let answers = 0
  const asker = async () => {
    while (performance.now() < end) {
      await ask()
      answers += 1
    }
  }
  await Promise.all(Array.from({ length: 8 }, asker))
  return answers / seconds
}

/** The people list of a company of more than 10,000, and the weight of its page and of a lift's. */
async function lookAround({ visitor, admin }: Bench, journey: number): Promise<void> {
  const adam = await visitor('adam@northwind.example')
  const open = async () => {
    const answer = await adam.visit('/users')
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`/users: ${answer.status}`)
  }
  await throughput(2, open)
  const { rows } = await admin.query(
    `select (select count(*)::int from users) as people, (select min(id)::int from lifts where journey_id = $1) as lift`,
    [journey],
  )
  console.log(`Users, ${rows[0].people} people: ${(await throughput(5, open)).toFixed(0)} pages a second`)
  const users = await weigh(adam, '/users')
  console.log(`Users, HTML, styles and scripts: ${users.all.toFixed(1)} kB compressed (goal: 200)`)
  const lift = await weigh(adam, `/lift/t/${rows[0].lift}`)
  console.log(
    `Lift, first answer: ${lift.page.toFixed(1)} kB compressed (goal: 14), with all ${lift.all.toFixed(1)} kB`,
  )
}

/** Until everyone has a plan; pages opened meanwhile show how much the launch slows others. */
async function launchMany({ admin, asAuthor, call }: Bench, lifts: number, learners: number): Promise<void> {
  const id = await makeDraft(bench, 'Launched', lifts, learners)
  await admin.query('analyze')
  const start = performance.now()
  await call('POST', `/lljs/${id}/launch`, { send_now: true })
  const answered = performance.now() - start
  let slowest = 0
  for (;;) {
    const asked = performance.now()
    await (await asAuthor.visit(`/lljs/${id}/schedule`)).arrayBuffer()
    slowest = Math.max(slowest, performance.now() - asked)
    const { rows } = await admin.query('select from journey_plans where journey_id = $1', [id])
    if (rows.length === 0) break
    await new Promise((done) => setTimeout(done, 500))
  }
  const seconds = (performance.now() - start) / 1000
  console.log(
    `Launch of ${lifts * learners} occurrences: answered in ${answered.toFixed(0)} ms, planned in ${seconds.toFixed(0)} s, slowest page meanwhile ${slowest.toFixed(0)} ms`,
  )
}

const bench = await openBench()
try {
  const small = await makeDraft(bench, 'Small', 3, 5)
  const big = await makeDraft(bench, 'Big', 200, 10_000)
  await bench.admin.query('analyze')
  await compare(bench, 'Draft', small, big)
  await makeRunning(bench, small, 3)
  await makeRunning(bench, big, LIFTS_WITH_TURNS)
  await compare(bench, `Running, ${LIFTS_WITH_TURNS * 10_000} occurrences`, small, big)
  await lookAround(bench, big)
  await launchMany(bench, 200, LEARNERS_TO_LAUNCH_FOR)
} finally {
  await bench.close()
}
