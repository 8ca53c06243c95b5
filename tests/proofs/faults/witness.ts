/** Sends requests to the product and judges every answer: which a fault excuses, and which nothing does. */
import type { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Asked, ask, type Came, LONGEST_MS } from './ask.ts'
import type { Findings } from './findings.ts'

/** Which broken connections the current fault explains: a killed process cuts, a stopped one only refuses. */
export type Excuse = 'none' | 'refused' | 'cut'

/** Longer than any fault and its aftermath: a write never acknowledged by then is a miss. */
const INSIST_MS = 120_000

export class Witness {
  readonly findings: Findings
  excuse: Excuse = 'none'
  readonly #origin: string

  constructor(findings: Findings, origin: string) {
    this.findings = findings
    this.#origin = origin
  }

  /** Asks once. `right` lists the acceptable statuses, besides a 503 with a Retry-After. */
  async ask(asked: Asked, right: readonly number[] = [200], agent?: Agent): Promise<Came> {
    const { kind } = this.findings
    const excuse = this.excuse
    const came = await ask(this.#origin, asked, agent)
    this.#judge(kind, [excuse, this.excuse], asked, came, right)
    return came
  }

  /** Repeats a request until acknowledged, like a client with an Idempotency-Key; null if it never is. */
  async insist<Answer = unknown>(asked: Asked, notYet: readonly number[] = []): Promise<Answer | null> {
    const until = Date.now() + INSIST_MS
    while (Date.now() < until) {
      const came = await this.ask(asked, [200, 201, ...notYet])
      if (came.status === 200 || came.status === 201) return JSON.parse('text' in came ? came.text : '')
      if (came.status >= 400 && came.status < 500 && !notYet.includes(came.status)) return null
      await sleep(Math.min(1000, waitOf(came)))
    }
    this.findings.miss(`never acknowledged: ${nameOf(asked)}`, this.findings.lastLines())
    return null
  }

  #judge(kind: string, excuses: Excuse[], asked: Asked, came: Came, right: readonly number[]): void {
    const tally = this.findings.tally(kind)
    tally.requests += 1
    const wrong = wrongWith(came, excuses, right)
    if (!wrong) {
      if (came.status === 503) tally.unavailable += 1
      return
    }
    tally[wrong.column] += 1
    const evidence = `${evidenceOf(came)}\n${this.findings.lastLines()}`
    this.findings.miss(`${wrong.what}: ${nameOf(asked)}`, evidence, kind)
  }
}

type Wrong = { column: 'hung' | 'cut' | 'failures' | 'wrong'; what: string }

function wrongWith(came: Came, excuses: readonly Excuse[], right: readonly number[]): Wrong | null {
  const { status, ms } = came
  if (ms > LONGEST_MS)
    return { column: 'hung', what: `no answer within ten seconds (${status || 'none'} after ${ms} ms)` }
  if ('why' in came) {
    if (excuses.includes('cut') || (came.why === 'refused' && excuses.includes('refused'))) return null
    return { column: 'cut', what: `connection ${came.why} (${came.code}) after ${ms} ms` }
  }
  if (status === 503 && came.headers['retry-after']) return null
  if (status >= 500)
    return { column: 'failures', what: `answer of ${status}${status === 503 ? ' without Retry-After' : ''}` }
  return right.includes(status) ? null : { column: 'wrong', what: `unexpected answer of ${status}` }
}

const nameOf = ({ method = 'GET', path }: Asked) => `${method} ${path}`

function evidenceOf(came: Came): string {
  if ('why' in came) return ''
  const { location, 'x-request-id': id } = came.headers
  return [location && `location: ${location}`, id && `request ${id}`, came.text.slice(0, 300)]
    .filter(Boolean)
    .join('\n')
}

const waitOf = (came: Came): number =>
  'headers' in came ? Number(came.headers['retry-after'] ?? 0.3) * 1000 || 300 : 300
