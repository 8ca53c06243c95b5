/** Runs work in Acme's scope, on nobody's behalf. `world` is called late: a test file creates its world in a hook. */
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { TestDatabase } from './database.ts'

type World = { database: Pick<TestDatabase, 'app' | 'worker'>; acme: string }

export const inAcmeOf =
  (world: () => World, role: 'app' | 'worker' = 'app') =>
  <Result>(work: (scope: Scope) => Promise<Result>): Promise<Result> =>
    inScope(world().database[role], systemActor(world().acme), work)
