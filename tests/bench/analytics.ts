/** `npm run bench:analytics`: the overview of a company with ten million facts, or as many as BENCH_FACTS says. */
import { GOAL_MS, inWords, timeOverview } from './overview.ts'

const times = await timeOverview(Number(process.env.BENCH_FACTS ?? 10_000_000))
console.log(inWords(times))
if (times.work > GOAL_MS) process.exitCode = 1
