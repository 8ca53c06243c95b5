/** `npm run bench:analytics`: the overview, home and other figures of a company with ten million facts (or BENCH_FACTS). */
import { inWords, slowOf, timeOverview } from './overview.ts'

const times = await timeOverview(Number(process.env.BENCH_FACTS ?? 10_000_000))
console.log(inWords(times))
const slow = slowOf(times)
if (slow.length > 0) console.error(`Too slow: ${slow.join(', ')}`)
process.exitCode = slow.length > 0 ? 1 : 0
