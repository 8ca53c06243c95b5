/** Before serving, checks as the serving role that row-level security leaves no gap between tenants. */
import { type Kysely, sql } from 'kysely'
import type { DB } from './schema.ts'

export class WallError extends Error {}

type Policy = {
  name: string
  /** r: select, a: insert, w: update, d: delete, *: all. */
  command: 'r' | 'a' | 'w' | 'd' | '*'
  permissive: boolean
  applies: boolean
  using: string | null
  check: string | null
}

type Relation = {
  name: string
  /** r and p are tables, v a view; other kinds have no policies. */
  kind: string
  enabled: boolean
  forced: boolean
  is_invoker: boolean
  can_truncate: boolean
  policies: Policy[]
}

const SAID_AT_ONCE = 5

const COMMANDS = { r: 'select', a: 'insert', w: 'update', d: 'delete' } as const

/** Throws a `WallError` that lists every way in which this connection could see another tenant's rows. */
export async function requireWall(db: Kysely<DB>): Promise<void> {
  const ofRole = await gapsOfRole(db)
  // The owner of the tables, or a role above it, would find gaps everywhere.
  const gaps = ofRole.length > 0 ? ofRole : await gapsOfTables(db)
  if (gaps.length === 0) return
  const more = gaps.length > SAID_AT_ONCE ? ` And ${gaps.length - SAID_AT_ONCE} more.` : ''
  const said = gaps.slice(0, SAID_AT_ONCE).join(' ')
  throw new WallError(`Tenants are not kept apart, so nothing is served. ${said}${more}`)
}

async function gapsOfRole(db: Kysely<DB>): Promise<string[]> {
  const { rows: roles } = await sql<{ me: string; name: string; powers: string[] }>`
    select session_user as me, rolname as name, array_remove(array[
      case when rolsuper then 'is a superuser' end,
      case when rolbypassrls then 'may bypass row-level security (BYPASSRLS)' end,
      case when rolcreaterole then 'may create roles' end,
      case when rolreplication then 'may replicate the whole server' end,
      case when rolname in ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
        then 'may reach the files of the server' end], null) as powers
    from pg_roles where pg_has_role(session_user, oid, 'MEMBER') order by rolname <> session_user, rolname`.execute(
    db,
  )
  const me = roles[0]?.me
  const powers = roles.flatMap(({ name, powers }) =>
    powers.map((power) => `The role ${me} ${name === me ? '' : `is a member of ${name}, which `}${power}.`),
  )
  // A superuser would fail every other check as well.
  if (powers.length > 0) return powers

  const { rows: owned } = await sql<{ what: string }>`
    select format('%s %s', case when relkind in ('v', 'm') then 'the view' else 'the table' end, oid::regclass) as what
    from pg_class where relkind in ('r', 'p', 'v', 'm', 'f') and relnamespace in (${ourSchemas})
      and pg_has_role(session_user, relowner, 'MEMBER')
    union all
    select format('the database %I', datname) from pg_database
    where datname = current_database() and pg_has_role(session_user, datdba, 'MEMBER')
    union all
    select format('the schema %I', nspname) from pg_namespace
    where oid in (${ourSchemas}) and pg_has_role(session_user, nspowner, 'MEMBER')
    order by 1 limit 3`.execute(db)
  return owned.map(({ what }) => `The role ${me} owns ${what}, or belongs to its owner.`)
}

const ourSchemas = sql`select oid from pg_namespace
  where nspname not in ('pg_catalog', 'information_schema', 'graphile_worker') and nspname !~ '^pg_(toast|temp)'`

export async function gapsOfTables(db: Kysely<DB>, role = sql`session_user`): Promise<string[]> {
  const { rows } = await sql<Relation>`
    select c.oid::regclass::text as name, c.relkind as kind, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
      coalesce('security_invoker=true' = any(c.reloptions) or 'security_invoker=on' = any(c.reloptions), false) as is_invoker,
      c.relkind in ('r', 'p') and has_table_privilege(${role}, c.oid, 'TRUNCATE') as can_truncate,
      coalesce((select jsonb_agg(jsonb_build_object('name', p.polname, 'command', p.polcmd,
          'permissive', p.polpermissive, 'using', pg_get_expr(p.polqual, p.polrelid),
          'check', pg_get_expr(p.polwithcheck, p.polrelid),
          'applies', exists (select from unnest(p.polroles) r(oid) where r.oid = 0 or pg_has_role(${role}, r.oid, 'MEMBER')))
        order by p.polname) from pg_policy p where p.polrelid = c.oid), '[]') as policies
    from pg_class c
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relnamespace in (${ourSchemas})
      and (c.relname = 'tenants' or exists (select from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))
    order by 1`.execute(db)
  if (!rows.some(({ name }) => name === 'tenants')) return ['The table tenants is missing, or out of sight.']
  return rows.flatMap((relation) => gapsOf(relation))
}

function gapsOf(relation: Relation): string[] {
  const { name, kind, enabled, forced, is_invoker, can_truncate } = relation
  if (kind === 'v') return is_invoker ? [] : [`The view ${name} is not security_invoker.`]
  if (kind !== 'r' && kind !== 'p') return [`${name} holds rows of tenants and can have no policies.`]
  return [
    ...(enabled ? [] : [`The table ${name} has row-level security switched off.`]),
    ...(forced ? [] : [`The table ${name} does not force row-level security.`]),
    ...(can_truncate ? [`The table ${name} may be truncated.`] : []),
    ...gapsOfPolicies(relation),
  ]
}

function gapsOfPolicies({ name, policies }: Relation): string[] {
  const inForce = policies.filter(({ applies, permissive }) => applies && permissive)
  const missing = Object.entries(COMMANDS)
    .filter(([letter]) => !inForce.some(({ command }) => command === letter || command === '*'))
    .map(([, command]) => `The table ${name} has no policy for ${command}.`)
  const open = inForce
    .filter((policy) => !conditionsOf(policy).every(asksForScope))
    .map((policy) => `The policy ${policy.name} on ${name} does not ask for the scope.`)
  return [...missing, ...open]
}

/** The conditions a policy decides by; an UPDATE policy without a check uses its `using` condition for both. */
function conditionsOf({ command, using, check }: Policy): (string | null)[] {
  if (command === 'r' || command === 'd') return [using]
  if (command === 'a') return [check]
  return check === null ? [using] : [using, check]
}

const asksForScope = (condition: string | null) =>
  condition !== null && /\bscope_(tenant|is_operator)\(\)/.test(condition)
