/** Prepares frequent statements, so that PostgreSQL parses them once; most are still planned at each run. */
import { CompiledQuery, type Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from '../schema.ts'
import type { ExpectedSizes } from './expected-sizes.server.ts'
import { StatementNames } from './statement-names.ts'

const ONCE = '/* planned once */'

/**
 * Runs a statement that looks up the scope's own rows by key, or reads along one index, whatever the tenant's size.
 * Without parameters, PostgreSQL keeps its first plan for the connection's lifetime. Each size of tenant gets a plan
 * of its own, because for an almost empty tenant any index looks as good as another.
 */
export function plannedOnce<Row>(write: (db: Kysely<DB>) => Written<Row>) {
  let text: string | undefined
  return async (db: Kysely<DB>): Promise<Row[]> => {
    text ??= textOf(write(db).compile(db))
    return (await db.executeQuery(CompiledQuery.raw(text) as CompiledQuery<Row>)).rows
  }
}

/** A query builder, or raw SQL. */
export type Written<Row> = { compile(db: Kysely<DB>): CompiledQuery<Row> }

function textOf({ sql, parameters }: CompiledQuery): string {
  if (parameters.length > 0) throw new Error(`What is planned once has parameters: ${sql}`)
  return `${sql} ${ONCE}`
}

const MAX_NAMES = 300
/** The plans for one size of tenants take up to seven megabytes on each connection. */
const MAX_SIZES = 8
/** With kept plans a name saves planning at each run, so more names pay off. */
const MAX_NAMES_PLANNED = 2_000

type Ask = (query: unknown, ...rest: unknown[]) => unknown

/**
 * Names statements on each new connection of a pool. Not inside a writing transaction: a named statement fails once
 * its table has changed (`hasChanged`), and only outside of one can it be run again. Where sessions keep plans, tables
 * do not change, so all are named.
 */
export function nameStatements({
  keepsPlans,
  sizes,
}: {
  keepsPlans: boolean
  sizes: Pick<ExpectedSizes, 'of'>
}): (client: pg.ClientBase) => void {
  const names = new StatementNames(keepsPlans ? MAX_NAMES_PLANNED : MAX_NAMES)
  return (client) => {
    const ask = client.query.bind(client) as Ask
    let within: 'nothing' | 'reads' | 'whole' = 'nothing'
    let tenant = ''
    const kept = new Set<string>()

    const note = (text: string, [first]: unknown[]) => {
      if (first === undefined) within = WITHIN[text] ?? within
      else if (text.startsWith(SETS_TENANT)) tenant = String(first)
    }
    const nameOf = (text: string, hasValues: boolean) => {
      if (!keepsPlans && within === 'whole') return null
      if (hasValues) return names.of(text)
      if (!text.endsWith(ONCE)) return null
      const name = names.of(text)
      return name === null || keepsPlans ? name : ofSize(name, sizes.of(tenant))
    }
    const ofSize = (name: string, size: string | null) => {
      if (size === null || (!kept.has(size) && kept.size === MAX_SIZES)) return null
      kept.add(size)
      return `${name} ${size}`
    }
    const askByName: Ask = (text, values, ...rest) => {
      if (typeof text !== 'string' || !Array.isArray(values)) return ask(text, values, ...rest)
      note(text, values)
      const name = nameOf(text, values.length > 0)
      if (name === null) return ask(text, values, ...rest)
      const answer = ask({ name, text, values }, ...rest)
      if (!(answer instanceof Promise)) return answer
      const isAlone = within === 'nothing'
      return answer.catch((error) => {
        if (!hasChanged(error)) throw error
        names.withdraw(text)
        if (!isAlone) throw error
        return ask(text, values, ...rest)
      })
    }
    client.query = askByName as typeof client.query
  }
}

/** The statement with which a scope begins its transaction. */
const SETS_TENANT = `select set_config('app.tenant_id', $1, true)`

const WITHIN: Record<string, 'nothing' | 'reads' | 'whole'> = {
  begin: 'whole',
  'start transaction isolation level repeatable read read only': 'whole',
  'start transaction read only': 'reads',
  commit: 'nothing',
  rollback: 'nothing',
}

export const hasChanged = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '0A000'
