/**
 * Statements that come again and again get a name on each connection: PostgreSQL parses them, and works its policies
 * into them, once. They are planned each time anew: a plan that was made for a small tenant may not serve a large one.
 */
import type pg from 'pg'

/** Asked for so often before it gets a name. */
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

/**
 * Only where nothing is written: a statement whose table has changed since fails by its name (`hasChanged`), and what
 * reads is asked again without it.
 */
export function nameStatements(client: pg.ClientBase): void {
  const ask = client.query.bind(client) as Ask
  let within: 'nothing' | 'reads' | 'writes' = 'nothing'

  const askByName: Ask = (text, values, ...rest) => {
    if (typeof text !== 'string' || !Array.isArray(values)) return ask(text, values, ...rest)
    if (values.length === 0) within = WITHIN[text] ?? within
    const name = within !== 'writes' && values.length > 0 ? nameOf(text) : null
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

/** What follows these. */
const WITHIN: Record<string, 'nothing' | 'reads' | 'writes'> = {
  begin: 'writes',
  'start transaction read only': 'reads',
  commit: 'nothing',
  rollback: 'nothing',
}

/** Whether a statement failed because what it answers has another shape than when it got its name. */
export const hasChanged = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '0A000'
