/** Every table with a row of each place, where only the policies separate them. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { fill, insertion, type Place, type Rows, type Table, tablesOfTenants } from './catalogue-rows.ts'
import { type Command, mayBecome, meets, type Scope } from './wall-rules.ts'

type Attempt = { command: Command; scope: Scope; text: string; wanted: string }
export type Wall = { table: string; attempts: Attempt[] }

const [acme, globex] = [randomUUID(), randomUUID()]
const [north, south, east] = [randomUUID(), randomUUID(), randomUUID()]
const PLACES: Place[] = [
  { name: 'acme-north', tenant: acme, sub: north },
  { name: 'acme-south', tenant: acme, sub: south },
  { name: 'acme-whole', tenant: acme, sub: null },
  { name: 'globex-east', tenant: globex, sub: east },
]
const SCOPES: Scope[] = [
  { name: 'nowhere', tenant: null, sub: null, isOperator: false },
  { name: 'operator', tenant: null, sub: null, isOperator: true },
  { name: 'acme', tenant: acme, sub: null, isOperator: false },
  { name: 'acme-north', tenant: acme, sub: north, isOperator: false },
  { name: 'globex-east', tenant: globex, sub: east, isOperator: false },
  { name: 'a participant', tenant: acme, sub: south, isOperator: false, learns: 'acme-north' },
]
const learners = new Map<string, unknown>()

/** The tables of companies and sub-tenants themselves. */
const TOP = ['tenants', 'sub_tenants']

/** Runs each statement in a scope, rolls it back, and returns how many rows it reached, or its error code. */
const ATTEMPT = `create function attempt(tenant text, sub text, operator text, participant text, statements text[]) returns text[] language plpgsql as $$
  declare answers text[] := '{}'; statement text; met bigint;
  begin
    perform set_config('app.tenant_id', tenant, true), set_config('app.sub_tenant_id', sub, true),
      set_config('app.operator', operator, true), set_config('app.user_id', participant, true),
      set_config('app.participant', case when participant <> '' then 'on' else '' end, true);
    foreach statement in array statements loop
      begin
        execute statement;
        get diagnostics met = row_count;
        raise exception using errcode = 'UNDO1';
      exception when others then
        answers := answers || case when sqlstate = 'UNDO1' then met::text else sqlstate end;
      end;
    end loop;
    return answers;
  end $$`

/** In a separate database: without foreign keys and triggers and with all grants, so that only the policies refuse. */
export async function buildWalls(admin: pg.Client): Promise<Wall[]> {
  await admin.query(
    `insert into pools (id, name, kind, issuer, client_id) values ('catalogue', 'Catalogue', 'embedded', 'i', 'c')`,
  )
  await admin.query(`do $$ declare t text; begin
    for t in select oid::regclass from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    loop execute format('alter table %s disable trigger user', t); end loop; end $$`)
  const inserted = new Map<string, Rows>(PLACES.map(({ name }) => [name, new Map()]))
  for (const { tenant, sub, name } of PLACES) {
    const rows = inserted.get(name) as Rows
    if (sub === null || tenant === globex)
      rows.set('tenants', await insertTop(admin, 'tenants', { id: tenant, name, pool_id: 'catalogue' }))
  }
  for (const { tenant, sub, name } of PLACES)
    if (sub)
      (inserted.get(name) as Rows).set(
        'sub_tenants',
        await insertTop(admin, 'sub_tenants', { tenant_id: tenant, id: sub, name }),
      )
  const tables = await tablesOfTenants(admin)
  for (const place of PLACES)
    for (const [table, row] of await fill(admin, tables, place)) inserted.get(place.name)?.set(table, row)
  // The lifts have been sent to their learners.
  await admin.query('update occurrences set due_at = now()')
  for (const [place, rows] of inserted) learners.set(place, rows.get('users')?.id)
  await admin.query(`do $$ declare k record; begin
    for k in select conname, conrelid::regclass as t from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
    loop execute format('alter table %s drop constraint %I', k.t, k.conname); end loop; end $$`)
  await admin.query('grant select, insert, update, delete on all tables in schema public to liftwell_app')
  await admin.query(ATTEMPT)
  const all: Table[] = [...tables, { name: 'tenants', columns: [], references: [] }]
  return all.map((table) => ({ table: table.name, attempts: attemptsOn(table, inserted) }))
}

async function insertTop(admin: pg.Client, table: string, row: Record<string, unknown>) {
  const names = Object.keys(row)
  const marks = names.map((_, index) => `$${index + 1}`)
  await admin.query(`insert into ${table} (${names}) values (${marks})`, Object.values(row))
  return row
}

function attemptsOn(table: Table, inserted: Map<string, Rows>): Attempt[] {
  const rowAt = (place: Place) => inserted.get(place.name)?.get(table.name)
  const places = PLACES.filter(rowAt)
  return SCOPES.flatMap((scope) => {
    const count = (command: Command) =>
      String(places.filter((place) => meets(table.name, command, place, scope)).length)
    const attempt = (command: Command, text: string, wanted: string): Attempt => ({
      command,
      scope,
      text,
      wanted,
    })
    // A change without a condition and without a column to read needs no right to read: only its own policy refuses it.
    const change = TOP.includes(table.name) ? `status = 'active'` : `tenant_id = '${scope.tenant ?? acme}'`
    const moves = places
      .filter((place) => count('UPDATE') !== '0' && !mayBecome(table.name, place, scope))
      .map((place) =>
        attempt('UPDATE', `update ${table.name} set ${moved(table, place, rowAt(place) ?? {})}`, '42501'),
      )
    const inserts = places.map((place) => {
      const known = inserted.get(place.name) as Rows
      const wanted = meets(table.name, 'INSERT', place, scope) ? 'taken' : '42501'
      return attempt('INSERT', insertOf(table, place, known), wanted)
    })
    return [
      attempt('SELECT', `select * from ${table.name}`, count('SELECT')),
      attempt('UPDATE', `update ${table.name} set ${change}`, count('UPDATE')),
      attempt('DELETE', `delete from ${table.name}`, count('DELETE')),
      ...moves,
      ...inserts,
    ]
  })
}

/** Moves a row to another place: its company, its sub-tenant, and the rows that it refers to. */
function moved(table: Table, place: Place, row: Record<string, unknown>): string {
  if (table.name === 'tenants') return `id = '${place.tenant}'`
  const columns = table.references.flatMap(({ columns }) => columns)
  const above = ['sub_tenant_id', 'journey_id', ...(table.name === 'sub_tenants' ? ['id'] : [])]
  const own = above.filter((column) => table.columns.some(({ name }) => name === column))
  return [...new Set(['tenant_id', ...own, ...columns])]
    .map((column) => `${column} = ${literal(row[column])}`)
    .join()
}

function insertOf(table: Table, place: Place, known: Rows): string {
  const row = known.get(table.name) as Record<string, unknown>
  const { text, values } = TOP.includes(table.name)
    ? {
        text: `insert into ${table.name} (${Object.keys(row)}) values (${Object.keys(row).map((_, index) => `$${index + 1}`)})`,
        values: Object.values(row),
      }
    : insertion(table, place, known)
  return text.replace(/\$(\d+)/g, (_, index) => literal(values[Number(index) - 1]))
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (Array.isArray(value)) return `'{}'`
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}

const ATTEMPTED = 'select attempt($1, $2, $3, $4, $5) as answers'
const settingsOf = ({ tenant, sub, isOperator, learns }: Scope): string[] => [
  ...[tenant ?? '', sub ?? '', isOperator ? 'on' : ''],
  learns ? String(learners.get(learns)) : '',
]

/** The rows that the application reaches but should not, or should but does not, after a change to the policies. */
export async function breaches(
  admin: pg.Client,
  { table, attempts }: Wall,
  change = '',
  only?: Command,
): Promise<string[]> {
  const some = attempts.filter(({ command }) => !only || command === only)
  const found: string[] = []
  await admin.query(`begin; ${change}; set local role liftwell_app`)
  try {
    for (const scope of SCOPES) {
      const here = some.filter((one) => one.scope === scope)
      const settings = [...settingsOf(scope), here.map(({ text }) => text)]
      const { rows } = await admin.query<{ answers: string[] }>(ATTEMPTED, settings)
      for (const [index, { text, wanted }] of here.entries()) {
        const answer = rows[0]?.answers[index] ?? ''
        // A unique index, or an exclusion constraint, already has such a row.
        const isTaken = wanted === 'taken' && ['1', '23505', '23P01'].includes(answer)
        if (!isTaken && answer !== wanted)
          found.push(`${table} from ${scope.name}: ${answer} instead of ${wanted}: ${text.slice(0, 200)}`)
      }
      // One is enough to see a change.
      if (change && found.length > 0) break
    }
  } finally {
    await admin.query('rollback')
  }
  return found
}
