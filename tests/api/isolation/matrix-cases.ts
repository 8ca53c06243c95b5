/** The cells of the matrix, and the check of one answer. */

import { DISAGREEING, type Named, OF_NOBODY } from './matrix-headers.ts'
import {
  type Holder,
  isThing,
  manages,
  nameOf,
  namesAll,
  type Spot,
  THINGS,
  type Thing,
} from './matrix-holders.ts'
import { canaryOf } from './matrix-holders-world.ts'
import { CANARIES, expected, forbiddenTo, PLACES, PRINCIPALS, type Where, type Who } from './matrix-people.ts'
import { POLICY, type Row } from './matrix-policy.ts'
import type { MatrixWorld, Sent } from './matrix-world.ts'

/** `wanted` is set if the headers or the input decide the answer; `holder` replaces `who`, and `of` replaces `where`. */
export type Case = {
  call: string
  who: Who
  where: Where
  named?: Named
  sent?: Sent
  wanted?: number
  holder?: Holder
  of?: Thing | Spot
}

export function* cases(
  calls: readonly string[] = Object.keys(POLICY),
  principals: readonly Who[] = PRINCIPALS,
): Generator<Case> {
  for (const call of calls)
    for (const who of principals)
      for (const where of ['none', 'self'].includes(POLICY[call]?.kind ?? '') ? (['own'] as const) : PLACES)
        yield { call, who, where }
}

/** Calls without a token, which therefore cannot contradict the headers. */
const WITHOUT_TOKEN = ['/users/pool', '/mail_stops/{token}']

/** Calls that identify their caller, without the special cases. */
export const ASKING: readonly string[] = Object.keys(POLICY).filter(
  (call) => !call.includes(' of ') && !WITHOUT_TOKEN.some((path) => call.endsWith(path)),
)

const REFUSED: readonly Omit<Case, 'call'>[] = [
  ...DISAGREEING.map((one) => ({ ...one, where: 'own', wanted: 403 }) as const),
  ...OF_NOBODY.map((one) => ({ ...one, where: 'own', wanted: 401 }) as const),
]
/** Headers are checked without regard to the call: each call gets some combinations, and each combination some calls. */
const HEADERS_EVERY = 7

export function* headerCases(calls: readonly string[] = ASKING, every = HEADERS_EVERY): Generator<Case> {
  let nth = 0
  for (const call of calls) for (const one of REFUSED) if (nth++ % every === 0) yield { ...one, call }
}

/** Does not divide the number of a call's cases, so each call gets different people and places. */
const INPUTS_EVERY = 5

/** People who are not allowed to make the call do not learn what is wrong with their input. */
export function* inputCases(calls: readonly string[], sent: Sent, every = INPUTS_EVERY): Generator<Case> {
  let nth = 0
  for (const { call, who, where } of cases(calls)) {
    if (nth++ % every > 0) continue
    const settled = expected(call, POLICY[call] as Row, who, where)
    const isRefused = [401, 403, 404].includes(settled)
    yield { call, who, where, sent, wanted: isRefused ? settled : sent === 'no JSON' ? 400 : 422 }
  }
}

/** Null if the answer is as the policy says, and contains no text of another place. */
export async function findingOf(
  world: MatrixWorld,
  { call, who, where, ...more }: Case,
): Promise<string | null> {
  if (more.holder && more.of) return findingOfHolder(world, call, more.holder, more.of, more.wanted ?? 200)
  const row = POLICY[call] as Row
  const { status, text } = await world.ask(call, row, who, where, more)
  const besides = more.named ?? more.sent
  const name = `${call} by ${who} on ${where}${besides ? ` with ${JSON.stringify(besides)}` : ''}`
  const wanted = more.wanted ?? expected(call, row, who, where)
  if (status !== wanted) return `${name}: ${status} instead of ${wanted} ${text.slice(0, 160)}`
  const leaked = forbiddenTo(who, call, world.south).find((canary) => text.includes(canary))
  return leaked ? `${name}: the answer has ${leaked}` : null
}

/** An answer must not contain text of a journey that the person neither manages nor takes part in. */
async function findingOfHolder(
  world: MatrixWorld,
  call: string,
  holder: Holder,
  of: Thing | Spot,
  wanted: number,
): Promise<string | null> {
  const { status, text } = await world.askAs(call, POLICY[call] as Row, holder, of)
  const name = `${call} by ${nameOf(holder)} on ${isThing(of) ? `${of.place} ${of.tie ?? ''}` : of}`
  if (status !== wanted) return `${name}: ${status} instead of ${wanted} ${text.slice(0, 160)}`
  const missing = THINGS.filter((thing) => namesAll(call) && wanted === 200 && manages(holder, thing)).find(
    (thing) => !text.includes(canaryOf(thing)),
  )
  if (missing) return `${name}: the answer lacks ${canaryOf(missing)}`
  const hidden = THINGS.filter((thing) => !manages(holder, thing) && !(thing === of && wanted === 200))
  const leaked = [...hidden.map(canaryOf), CANARIES.foreign].find((canary) => text.includes(canary))
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
