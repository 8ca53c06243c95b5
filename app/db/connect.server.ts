/** Opens Kysely databases, and defines how values are converted between PostgreSQL and us. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { ExpectedSizes } from './plans/expected-sizes.server.ts'
import { nameStatements } from './plans/named.server.ts'
import { openPool, type PoolOptions } from './pool.server.ts'
import type { DB } from './schema.ts'
import { isPooled, saysToKeepPlans } from './url.ts'

const { types } = pg

type Parse = (text: string) => unknown

const OID = {
  int8: 20,
  numeric: 1700,
  date: 1082,
  time: 1083,
  timestamp: 1114,
  text_array: 1009,
  int8_array: 1016,
  numeric_array: 1231,
  date_array: 1182,
  timestamp_array: 1115,
} as const

const asText: Parse = (text) => text
// The types of pg only know scalar types.
const parseTextArray = types.getTypeParser(OID.text_array as never) as (text: string) => (string | null)[]
const each =
  (parse: Parse): Parse =>
  (text) =>
    parseTextArray(text).map((item) => (item === null ? null : parse(item)))

/** Ids and counts become numbers; one too big to be exact is an error, never a rounded id. */
const parseInteger: Parse = (text) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} is too big for a number.`)
  return value
}

/** Dates and wall-clock times stay text: they are no instant until a zone is known. */
const PARSERS = new Map<number, Parse>([
  [OID.int8, parseInteger],
  [OID.numeric, Number],
  [OID.date, asText],
  [OID.time, asText],
  [OID.timestamp, asText],
  [OID.int8_array, each(parseInteger)],
  [OID.numeric_array, each(Number)],
  [OID.date_array, each(asText)],
  [OID.timestamp_array, each(asText)],
])

const ourTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    const ours = format === 'binary' ? undefined : PARSERS.get(oid)
    return ours ?? types.getTypeParser(oid, format)
  },
}

export type ConnectOptions = Omit<PoolOptions, 'types' | 'options'> & {
  readOnly?: boolean
  /** Plans each statement once for all values: only for tables that are small and keep their columns (tests). */
  keepsPlans?: boolean
}

export function connect(
  url: string,
  { readOnly = false, keepsPlans = saysToKeepPlans(url), ...options }: ConnectOptions = {},
): Kysely<DB> {
  const session = [
    `plan_cache_mode=force_${keepsPlans ? 'generic' : 'custom'}_plan`,
    ...(readOnly ? ['default_transaction_read_only=on'] : []),
  ]
  const pool = openPool(url, {
    ...options,
    types: ourTypes,
    options: session.map((setting) => `-c ${setting}`).join(' '),
  })
  // A prepared statement belongs to a session, and a pooler may run the next statement in another one.
  if (!isPooled(url)) pool.on('connect', nameStatements({ keepsPlans, sizes: new ExpectedSizes(pool) }))
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}
