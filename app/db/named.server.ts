/** Names frequent statements, so that PostgreSQL parses them once; most are planned for each run, for its own tenant. */
import { type Compilable, CompiledQuery, type Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from './schema.ts'

const ONCE = '/* planned once */'

/**
 * A statement that looks up what belongs to the scope by its keys, or reads along one index, however large the tenant
 * is. It has no parameters, and of such a statement PostgreSQL keeps the first plan as long as the connection lasts.
 */
export function plannedOnce<Row>(write: (db: Kysely<DB>) => Compilable<Row>) {
  let text: string | undefined
  return async (db: Kysely<DB>): Promise<Row[]> => {
    text ??= textOf(write(db).compile())
    return (await db.executeQuery(CompiledQuery.raw(text) as CompiledQuery<Row>)).rows
  }
}

function textOf({ sql, parameters }: CompiledQuery): string {
  if (parameters.length > 0) throw new Error(`What is planned once has parameters: ${sql}`)
  return `${sql} ${ONCE}`
}

const FAMILIAR = 3
/** Each takes memory on each connection. */
const MOST_NAMES = 300
const MOST_COUNTED = 2_000
const LONGEST = 8_000

const counts = new Map<string, number>()
const names = new Map<string, string | null>()

function nameOf(text: string): string | null {
  const known = names.get(text)
  if (known !== undefined) return known
  if (text.length > LONGEST || names.size >= MOST_NAMES) return null
  const count = (counts.get(text) ?? 0) + 1
  if (counts.size >= MOST_COUNTED) counts.clear()
  counts.set(text, count)
  if (count < FAMILIAR) return null
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

type Ask = (query: unknown, ...rest: unknown[]) => unknown

/** Not in what is done as a whole: named ones fail once their table has changed (`hasChanged`) and are asked again. */
export function nameStatements(client: pg.ClientBase): void {
  const ask = client.query.bind(client) as Ask
  let within: 'nothing' | 'reads' | 'whole' = 'nothing'

  const askByName: Ask = (text, values, ...rest) => {
    if (typeof text !== 'string' || !Array.isArray(values)) return ask(text, values, ...rest)
    if (values.length === 0) within = WITHIN[text] ?? within
    const isMeant = values.length > 0 || text.endsWith(ONCE)
    const name = within !== 'whole' && isMeant ? nameOf(text) : null
    if (name === null) return ask(text, values, ...rest)
    const answer = ask({ name, text, values }, ...rest)
    if (!(answer instanceof Promise)) return answer
    const isAlone = within === 'nothing'
    return answer.catch((error) => {
      if (!hasChanged(error)) throw error
      names.set(text, null)
      if (!isAlone) throw error
      return ask(text, values, ...rest)
    })
  }
  client.query = askByName as typeof client.query
}

const WITHIN: Record<string, 'nothing' | 'reads' | 'whole'> = {
  begin: 'whole',
  'start transaction isolation level repeatable read read only': 'whole',
  'start transaction read only': 'reads',
  commit: 'nothing',
  rollback: 'nothing',
}

export const hasChanged = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '0A000'
