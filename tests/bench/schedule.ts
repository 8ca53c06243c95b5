/** `npm run bench`: a journey of 200 lifts and 10,000 learners opens its schedule in the time of a small one. */
import { makeDraft, makeRunning } from './journeys.ts'
import { type Bench, measure, openBench } from './site.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 41)
/** Turns are written for this many lifts of the big journey: 10,000 each. */
const LIFTS_WITH_TURNS = Number(process.env.BENCH_LIFTS_WITH_TURNS ?? 40)

async function compare({ asAuthor, call }: Bench, what: string, small: number, big: number): Promise<void> {
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
  report(`${what}, API`, smallCall, bigCall)
}

function report(what: string, small: number, big: number): void {
  console.log(
    `${what}: small ${small.toFixed(1)} ms, big ${big.toFixed(1)} ms, ratio ${(big / small).toFixed(2)}`,
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
  await compare(bench, `Running, ${LIFTS_WITH_TURNS * 10_000} turns`, small, big)
} finally {
  await bench.close()
}
