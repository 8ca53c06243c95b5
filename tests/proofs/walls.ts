/** Every policy of every tenant table, each opened, halved or dropped in turn; and what the tables themselves show then. */
import type pg from 'pg'
import {
  fill,
  insertion,
  type Place,
  type Rows,
  type Table,
  tablesOfTenants,
} from '#tests/api/catalogue-rows.ts'

export type Mutant = { table: string; name: string; by: string; undo: string }

type Policy = { table: string; name: string; command: string; using: string | null; check: string | null }

/** The condition without the half that keeps the parts of a company apart. */
const halved = (condition: string | null) =>
  condition?.includes('scope_sub_tenant()') ? 'tenant_id = scope_tenant()' : null

export async function mutantsOf(admin: pg.Client): Promise<Mutant[]> {
  const { rows } =
    await admin.query<Policy>(`select tablename as table, policyname as name, cmd as command, qual as using,
    with_check as check from pg_policies where schemaname = 'public' and policyname like 'scope\\_%' order by 1, 2`)
  return rows.flatMap((policy) => {
    const { table, name, command, using, check } = policy
    const alter = (one: string | null, other: string | null) =>
      `alter policy ${name} on ${table}${one ? ` using (${one})` : ''}${other ? ` with check (${other})` : ''}`
    const undo = alter(using, check)
    const create = `create policy ${name} on ${table} for ${command}${using ? ` using (${using})` : ''}${check ? ` with check (${check})` : ''}`
    const mutants: Mutant[] = [
      { table, name: `${name} on ${table} dropped`, by: `drop policy ${name} on ${table}`, undo: create },
    ]
    if (using) mutants.push({ table, name: `${name} on ${table} shows all`, by: alter('true', null), undo })
    if (check) mutants.push({ table, name: `${name} on ${table} takes all`, by: alter(null, 'true'), undo })
    if (halved(using))
      mutants.push({
        table,
        name: `${name} on ${table} shows all parts`,
        by: alter(halved(using), null),
        undo,
      })
    if (halved(check))
      mutants.push({
        table,
        name: `${name} on ${table} takes for all parts`,
        by: alter(null, halved(check)),
        undo,
      })
    return mutants
  })
}

/** Tables filled for two companies and their parts, in a database without keys between them: policies and nothing else. */
export async function fillWalls(admin: pg.Client, places: readonly Place[]) {
  const tables = (await tablesOfTenants(admin)).filter(({ name }) => name !== 'sub_tenants')
  const rows = new Map<string, Rows>()
  for (const place of places) rows.set(place.name, await fill(admin, tables, place))
  await admin.query(`do $$ declare k record; begin
    for k in select conname, conrelid::regclass as t from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
    loop execute format('alter table %s drop constraint %I', k.t, k.conname); end loop;
    for k in select distinct tgrelid::regclass as t from pg_trigger where not tgisinternal
    loop execute format('alter table %s disable trigger user', k.t); end loop; end $$`)
  return { tables, rows }
}

export type Walls = Awaited<ReturnType<typeof fillWalls>>
type Scope = { tenant: string; sub: string | null; name: string }

/** What the application sees, takes, changes and removes in a table, from the middle of a company and from a part. */
export async function lookAt(
  app: pg.Client,
  walls: Walls,
  table: Table,
  scopes: readonly Scope[],
): Promise<string> {
  const seen: string[] = []
  const foreign = [...walls.rows.keys()]
  for (const scope of scopes) {
    const attempt = async (text: string, values: unknown[] = []): Promise<string> => {
      await app.query('begin')
      try {
        await app.query(
          `select set_config('app.tenant_id', $1, true), set_config('app.sub_tenant_id', $2, true)`,
          [scope.tenant, scope.sub ?? ''],
        )
        return String((await app.query(text, values)).rowCount)
      } catch (error) {
        return String((error as { code?: unknown }).code)
      } finally {
        await app.query('rollback')
      }
    }
    const answers = [
      await attempt(`select * from ${table.name}`),
      // Without a condition: a change that names no column asks for no right to read.
      await attempt(`update ${table.name} set tenant_id = $1`, [scope.tenant]),
      await attempt(`delete from ${table.name}`),
    ]
    for (const place of foreign) {
      const rows = walls.rows.get(place) as Rows
      const at = placeOf(walls, place)
      const { text, values } = insertion(table, at, rows)
      answers.push(await attempt(text, values))
      answers.push(await attempt(`update ${table.name} set tenant_id = $1`, [at.tenant]))
      if (table.columns.some(({ name }) => name === 'sub_tenant_id'))
        answers.push(
          await attempt(`update ${table.name} set tenant_id = $1, sub_tenant_id = $2`, [at.tenant, at.sub]),
        )
    }
    seen.push(`${scope.name}: ${answers.join(' ')}`)
  }
  return seen.join('\n')
}

function placeOf({ rows }: Walls, name: string): Place {
  const row = rows.get(name)?.get('journeys') as { tenant_id: string; sub_tenant_id: string | null }
  return { name, tenant: row.tenant_id, sub: row.sub_tenant_id }
}
