/** Fills every tenant table with rows, whatever its columns, so that new tables are covered too. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'

/** The place of a row: a sub-tenant, or a whole tenant. */
export type Place = { name: string; tenant: string; sub: string | null }

export type Column = {
  name: string
  type: string
  is_needed: boolean
  /** The first value that a check allows. */
  allowed: string | null
}

type Reference = { columns: string[]; target: string; targets: string[] }
export type Table = { name: string; columns: Column[]; references: Reference[] }
export type Rows = Map<string, Record<string, unknown>>

const TABLES = `
  select c.relname as name,
    (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
        'is_needed', a.attnotnull and not a.atthasdef and a.attidentity = '',
        'allowed', (select substring(pg_get_constraintdef(k.oid) from $$ARRAY\\['([^']*)'$$) from pg_constraint k
          where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
            and pg_get_constraintdef(k.oid) like '%ARRAY[%' limit 1)) order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    coalesce((select jsonb_agg(jsonb_build_object(
        'columns', (select jsonb_agg(a.attname order by n) from unnest(k.conkey) with ordinality u(attnum, n)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.attnum),
        'target', k.confrelid::regclass::text,
        'targets', (select jsonb_agg(a.attname order by n) from unnest(k.confkey) with ordinality u(attnum, n)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.attnum)))
      from pg_constraint k where k.conrelid = c.oid and k.contype = 'f'), '[]') as references
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')
  order by c.oid`

/** The tables with a tenant_id, in the order of their creation: each comes after the tables that it refers to. */
export async function tablesOfTenants(client: pg.Client): Promise<Table[]> {
  return (await client.query<Table>(TABLES)).rows
}

/** The statement that inserts a row of a place into a table; `known` are the rows of that place so far. */
export function insertion(table: Table, place: Place, known: Rows): { text: string; values: unknown[] } {
  const values = new Map<string, unknown>()
  for (const column of table.columns) {
    if (column.is_needed) values.set(column.name, sample(column, place))
  }
  for (const { columns, target, targets } of table.references) {
    const row = known.get(target)
    if (!row || target === table.name) continue
    for (const [index, column] of columns.entries()) {
      if (values.has(column)) values.set(column, row[targets[index] ?? ''])
    }
  }
  setPlace(values, table, place, known)
  const names = [...values.keys()]
  const text = `insert into ${table.name} (${names.join()}) values (${names.map((_, index) => `$${index + 1}`).join()})`
  return { text, values: [...values.values()] }
}

function setPlace(values: Map<string, unknown>, { columns }: Table, place: Place, known: Rows): void {
  const has = (wanted: string) => columns.some(({ name }) => name === wanted)
  values.set('tenant_id', place.tenant)
  if (has('sub_tenant_id')) values.set('sub_tenant_id', place.sub)
  if (has('journey_id')) values.set('journey_id', known.get('journeys')?.id)
  // A person of the place, even without a foreign key to them.
  if (values.has('user_id')) values.set('user_id', known.get('users')?.id ?? 1)
}

function sample({ type, allowed }: Column, { name }: Place): unknown {
  if (allowed !== null) return allowed
  if (type.endsWith('[]')) return []
  if (type === 'uuid') return randomUUID()
  if (/^(integer|bigint|smallint|numeric)/.test(type)) return 1
  if (type === 'boolean') return false
  if (type === 'jsonb') return '{}'
  if (type === 'bytea') return Buffer.from(name)
  if (type.startsWith('timestamp') || type === 'date') return '2030-01-01T00:00:00Z'
  if (type === 'time without time zone') return '09:00'
  return name
}

/** Their triggers count rows, and are disabled here, since every place has one row in each table. */
export const COUNTED = ['fact_occurrence', 'fact_learner', 'lifts', 'members', 'user_group_users']

/** Fills all tables for a place, as a superuser; returns the rows by table. */
export async function fill(client: pg.Client, tables: Table[], place: Place): Promise<Rows> {
  for (const { name } of tables)
    if (COUNTED.includes(name)) await client.query(`alter table ${name} disable trigger user`)
  const known: Rows = new Map()
  known.set('pools', { id: 'catalogue' })
  for (const table of tables) {
    if (table.name === 'sub_tenants') continue
    const { text, values } = insertion(table, place, known)
    const { rows } = await client.query(`${text} returning *, ctid::text as at`, values)
    known.set(table.name, rows[0])
  }
  return known
}
