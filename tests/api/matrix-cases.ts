/** The cells of the matrix, and what is wrong with the answer to one. */
import { DISAGREEING, type Named, OF_NOBODY } from './matrix-headers.ts'
import { expected, forbiddenTo, PLACES, PRINCIPALS, type Where, type Who } from './matrix-people.ts'
import { POLICY, type Row } from './matrix-policy.ts'
import type { MatrixWorld, Sent } from './matrix-world.ts'

/** `wanted` where the headers or what is sent decide it, and not the policy. */
export type Case = { call: string; who: Who; where: Where; named?: Named; sent?: Sent; wanted?: number }

export function* cases(
  calls: readonly string[] = Object.keys(POLICY),
  principals: readonly Who[] = PRINCIPALS,
): Generator<Case> {
  for (const call of calls)
    for (const who of principals)
      for (const where of ['none', 'self'].includes(POLICY[call]?.kind ?? '') ? (['own'] as const) : PLACES)
        yield { call, who, where }
}

/** Calls that ask who one is, without a word of how they are asked. */
export const ASKING: readonly string[] = Object.keys(POLICY).filter(
  (call) => !call.includes(' of ') && !call.endsWith('/users/pool'),
)

export function* headerCases(calls: readonly string[] = ASKING): Generator<Case> {
  for (const call of calls) {
    for (const one of DISAGREEING) yield { ...one, call, where: 'own', wanted: 403 }
    for (const one of OF_NOBODY) yield { ...one, call, where: 'own', wanted: 401 }
  }
}

/** What is wrong with what was sent is said to nobody who may not do the thing at all. */
export function* inputCases(calls: readonly string[], sent: Sent): Generator<Case> {
  for (const { call, who, where } of cases(calls)) {
    const settled = expected(POLICY[call] as Row, who, where)
    const isRefused = [401, 403, 404].includes(settled)
    yield { call, who, where, sent, wanted: isRefused ? settled : sent === 'no JSON' ? 400 : 422 }
  }
}

/** Null when the answer is as the policy says, and has no word of another place. */
export async function findingOf(
  world: MatrixWorld,
  { call, who, where, ...more }: Case,
): Promise<string | null> {
  const row = POLICY[call] as Row
  const { status, text } = await world.ask(call, row, who, where, more)
  const besides = more.named ?? more.sent
  const name = `${call} by ${who} on ${where}${besides ? ` with ${JSON.stringify(besides)}` : ''}`
  const wanted = more.wanted ?? expected(row, who, where)
  if (status !== wanted) return `${name}: ${status} instead of ${wanted} ${text.slice(0, 160)}`
  const leaked = forbiddenTo(who, call, world.south).find((canary) => text.includes(canary))
  return leaked ? `${name}: the answer has ${leaked}` : null
}

export async function firstFinding(world: MatrixWorld, some: Iterable<Case>): Promise<string | null> {
  for (const one of some) {
    const found = await findingOf(world, one)
    if (found) return found
  }
  return null
}

export async function allFindings(world: MatrixWorld, some: Iterable<Case>): Promise<string[]> {
  const findings: string[] = []
  for (const one of some) {
    const found = await findingOf(world, one)
    if (found) findings.push(found)
  }
  return findings
}
