/** Binds each call of the contract to the function that carries it out; none can be left out. */
import type { KeyInUse } from '#app/auth/api-keys.server.ts'
import type { Principal } from '#app/auth/principal.ts'
import type { Actor } from '#app/domain/access/actor.ts'
import type { Refusal } from '#app/domain/errors.ts'
import type { Database, Scope } from '#app/domain/scope/scope.server.ts'
import type { AnswerOf, BodyOf, Call, IdsOf, QueryOf } from './contract/call.ts'
import type { FoundBy } from './guards.server.ts'

export type Caller = {
  principal: Principal
  actor: Actor
  token: string
  key?: KeyInUse | undefined
  has_second_factor?: boolean | undefined
  ip?: string | undefined
  isFramed?: boolean | undefined
}

export type Given<C extends Call> = {
  scope: C['may'] extends 'anyone' ? undefined : Scope
  caller: C['may'] extends 'anyone' ? undefined : Caller
  database: Database
  ids: IdsOf<C>
  query: QueryOf<C>
  body: BodyOf<C>
  found: FoundBy<C['may']>
  range: string | undefined
}

/** A refusal whose transaction is still committed: a wrong code counts as an attempt. */
export class RefusedAndKept {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    this.refusal = refusal
  }
}

type Run<C extends Call> = (given: Given<C>) => Promise<AnswerOf<C> | RefusedAndKept>
export type Served = { readonly call: Call; readonly run: (given: Given<Call>) => Promise<unknown> }

export const serve = <Calls extends Record<string, Call>>(
  calls: Calls,
  runs: { [Name in keyof Calls]: Run<Calls[Name]> },
): Served[] =>
  Object.entries(calls).map(([name, call]) => ({ call, run: runs[name as keyof Calls] as Served['run'] }))
