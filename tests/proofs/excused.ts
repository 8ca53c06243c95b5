/** Guards that may be taken away without a test noticing, each for a reason; `words` are the first of its condition. */
import type { Guard } from './guards.ts'

type Excuse = { file: string; words: string; why: string }

export const EXCUSED: readonly Excuse[] = [
  {
    file: 'app/domain/tenants/find-tenant.server.ts',
    words: '!isOperator(scope.actor)',
    why: 'without it the next line looks for the tenant, and the policies show none: the answer is the same 404',
  },
  {
    file: 'app/domain/users/imports.server.ts',
    words: "!may(actor, 'users:create')",
    why: 'the answer is read by getImport, which refuses the same, and all is undone',
  },
  {
    file: 'app/domain/users/users.server.ts',
    words: "!may(scope.actor, 'users:view')",
    why: 'every role has users:view, so that nobody can meet it',
  },
  { file: 'app/domain/users/users.server.ts', words: '!user', why: 'toUsers answers each row it is given' },
  {
    file: 'app/domain/users/current-user.server.ts',
    words: '!user',
    why: 'whoever is deleted between the principal and this look is nobody at the next request',
  },
  {
    file: 'app/domain/lifts/versions.server.ts',
    words: '!row',
    why: 'a turn names a version that was kept in the same transaction, and no version is deleted',
  },
  {
    file: 'app/domain/lifts/pages.server.ts',
    words: '!turn',
    why: 'read again after openLift has found it in the same transaction',
  },
  {
    file: 'app/domain/lifts/responses.server.ts',
    words: '!turn',
    why: 'read again after the same transaction has found it',
  },
  {
    file: 'app/domain/tenants/tenants.server.ts',
    words: '!pool',
    why: 'the first migration makes a default pool, and none is ever removed',
  },
  {
    file: 'app/auth/pool-editing.server.ts',
    words: '!after',
    why: 'the pool was written by the line before, or is the default one',
  },
  {
    file: 'app/auth/pool-editing.server.ts',
    words: '!pool',
    why: 'a foreign key keeps the pool that a tenant names',
  },
  {
    file: 'app/domain/security/own-security.server.ts',
    words: '!pending',
    why: 'where no secret of one’s own waits, null would be answered in place of the 404: there is nothing to see',
  },
  {
    file: 'app/auth/bearer.server.ts',
    words: 'pools.length === 0',
    why: 'without it no pool is asked, and the line after the loop refuses with the same 401',
  },
  {
    file: 'app/auth/tokens.server.ts',
    words: "typeof payload.sub !== 'string'",
    why: 'a provider that signs no name, or an empty one, names nobody: findPrincipal finds no row, and the same 401 follows',
  },
  {
    file: 'app/domain/privacy/data-export.server.ts',
    words: '!person',
    why: 'exportPerson has found the person in the same transaction, or they are the caller',
  },
]

const isOf = (excuse: Excuse, { file, words }: Guard) =>
  file === excuse.file && words.startsWith(excuse.words)

export const excuseOf = (guard: Guard): Excuse | undefined => EXCUSED.find((one) => isOf(one, guard))

/** An excuse for what is not there any more excuses nothing. */
export const idleExcuses = (guards: readonly Guard[]): Excuse[] =>
  EXCUSED.filter((one) => !guards.some((guard) => isOf(one, guard)))
