/** Finds holes in the isolation of tenants in the database catalog, and reports each as a sentence. */
import { type Kysely, sql } from 'kysely'
import type { DB } from '#app/db/schema.ts'
import { gapsOfTables } from '#app/db/wall.server.ts'

/** Tables without a tenant, each with its reason. */
const GLOBAL_TABLES: Record<string, string> = {
  tenants: 'the tenants themselves; its policies go by id',
  pools: 'sign-in configuration, looked up before anyone is known',
  zone_rules: 'what clocks do in each zone, the same for everybody',
  sign_in_attempts: 'a sign-in before anyone is known, keyed by an unguessable state',
  ended_tokens: 'hashes of tokens that hold no longer, checked before anyone is known',
  schema_migrations: 'which migrations are applied',
}

/** Unique keys that do not begin with the tenant: they are looked up, or must be unique, before the tenant is known. */
const PLATFORM_KEYS: Record<string, string> = {
  email_domains_domain: 'a domain finds its pool before the tenant is known',
  users_email: 'an address finds its pool before the tenant is known',
  users_by_id: 'who asks is found before their tenant is known',
  user_identities_subject: 'a provider knows a person once',
  api_keys_secret: 'a bearer token finds its key before the tenant is known',
  sign_in_links_token: 'a link finds its person before the tenant is known',
  sessions_id: 'a cookie finds its session before the tenant is known',
  ended_sessions_id: 'a cookie finds why its session ended before the tenant is known',
}

/** Policies beyond the four of every table, and the only role that each applies to. */
const SPECIAL_POLICIES: Record<string, string> = {
  lookup_reads: 'liftwell_lookup',
  owner_adds: 'liftwell_owner',
  worker_claims: 'liftwell_worker',
  worker_leases: 'liftwell_worker',
}

/** Security-definer functions, and the role that each runs as. */
const DEFINERS: Record<string, string> = {
  'principal_of(bigint)': 'liftwell_lookup',
  'find_principal(text,text)': 'liftwell_lookup',
  'has_person(text[],text)': 'liftwell_lookup',
  'find_api_key(bytea)': 'liftwell_lookup',
  'find_sign_in_link(bytea)': 'liftwell_lookup',
  'find_session(bytea)': 'liftwell_lookup',
  'find_pool(citext)': 'liftwell_lookup',
  'tenant_of_domain(citext)': 'liftwell_lookup',
  'strangers_of_domain(citext)': 'liftwell_lookup',
  'found_platform(bigint)': 'liftwell_owner',
  'set_super_admin(bigint,boolean)': 'liftwell_owner',
  'move_accounts(text)': 'liftwell_owner',
  'find_ids(text,text,integer,text[],bigint)': 'liftwell_lookup',
  'date_role_by_person()': 'liftwell_lookup',
  'people_with_roles(text[],integer,uuid[])': 'liftwell_lookup',
  'count_people(integer,text[],text[],text[],uuid[])': 'liftwell_lookup',
  'count_learners(bigint,timestamp with time zone,boolean)': 'liftwell_lookup',
  'tenants_with_changed_learners()': 'liftwell_lookup',
  'count_journeys(integer,text[],text[],bigint[])': 'liftwell_lookup',
  'count_members(bigint,integer,text)': 'liftwell_lookup',
  'count_audit_events(integer,text[],bigint,timestamp with time zone,timestamp with time zone)':
    'liftwell_lookup',
  'tenants_of_address(citext)': 'liftwell_lookup',
  'tenants_of_number(text)': 'liftwell_lookup',
  'taken_emails(citext[])': 'liftwell_lookup',
  'people_of_addresses(citext[])': 'liftwell_lookup',
  'address_state(citext)': 'liftwell_lookup',
  'scope_is_member(bigint)': 'liftwell_lookup',
  'scope_is_own_member(bigint)': 'liftwell_lookup',
  'scope_sponsors_member(bigint)': 'liftwell_lookup',
  'scope_own_members()': 'liftwell_lookup',
  'scope_known_members()': 'liftwell_lookup',
  'scope_sponsored_members()': 'liftwell_lookup',
  'scope_has_turn(bigint)': 'liftwell_lookup',
  'scope_has_version(bigint,integer)': 'liftwell_lookup',
  'scope_has_file(uuid)': 'liftwell_lookup',
  'scope_sponsored_learners()': 'liftwell_lookup',
  'scope_sponsors_lift(bigint,integer)': 'liftwell_lookup',
  'scope_is_sponsor()': 'liftwell_lookup',
  'scope_is_asked_for_second_factor()': 'liftwell_lookup',
  'delivery_of(bigint)': 'liftwell_lookup',
  'prompt_visibility(bigint)': 'liftwell_lookup',
  'keep_promise()': 'liftwell_lookup',
  'prompt_scoring(bigint)': 'liftwell_lookup',
  'replan_after_move()': 'liftwell_owner',
  'journeys_to_look_after()': 'liftwell_lookup',
  'assessments_to_look_after()': 'liftwell_lookup',
  'unused_files()': 'liftwell_lookup',
  'sponsors_to_brief(timestamp with time zone)': 'liftwell_lookup',
  'people_to_summarize(timestamp with time zone)': 'liftwell_lookup',
  'commitments_to_remind(timestamp with time zone)': 'liftwell_lookup',
  'stalled_plans()': 'liftwell_lookup',
  'testing_clock()': 'liftwell_lookup',
  'clock_ahead_ms(uuid)': 'liftwell_lookup',
  'tenants_under_way()': 'liftwell_lookup',
  'find_newcomer(text,citext)': 'liftwell_lookup',
  'is_outdated(text[],text,timestamp with time zone)': 'liftwell_lookup',
  'forget_words(text[])': 'liftwell_owner',
  'forget_record(bigint)': 'liftwell_owner',
  'end_sessions_of_account()': 'liftwell_owner',
  'end_provider_session()': 'liftwell_owner',
  'is_session_of_disabled(bytea)': 'liftwell_lookup',
  'leads_on_of_session(bytea)': 'liftwell_lookup',
  'ended_tenants()': 'liftwell_lookup',
  'ended_sub_tenants()': 'liftwell_lookup',
  'counts_of_tenants()': 'liftwell_lookup',
  'purge_tenant()': 'liftwell_owner',
  'purge_sub_tenant(uuid)': 'liftwell_owner',
  'empty_testing_tenant(bigint[])': 'liftwell_owner',
  'enqueue_job(text,jsonb,text,timestamp with time zone,text)': 'liftwell_owner',
}

/** A foreign key to the tenants themselves, from a column that is not the row's own tenant. */
const OTHER_TENANT_KEYS = ['sessions_impersonated_tenant_id_fkey']

export async function findings(db: Kysely<DB>): Promise<string[]> {
  const all = [
    await gapsOfTables(db, sql`'liftwell_app'::name`),
    await gapsOfTables(db, sql`'liftwell_worker'::name`),
    await tablesWithoutTenant(db),
    await policies(db),
    await foreignKeys(db),
    await uniqueKeys(db),
    await definers(db),
    await roles(db),
    await grants(db),
  ]
  return [...new Set(all.flat())]
}

async function tablesWithoutTenant(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnotnull)`.execute(
    db,
  )
  return rows
    .filter(({ name }) => !(name in GLOBAL_TABLES))
    .map(({ name }) => `The table ${name} has no tenant_id.`)
}

async function policies(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{
    on: string
    name: string
    command: string
    roles: string[]
    conditions: string[]
  }>`
    select tablename as on, policyname as name, cmd as command, roles::text[] as roles,
      array_remove(array[qual, with_check], null) as conditions
    from pg_policies where schemaname = 'public' order by 1, 2`.execute(db)
  return rows.flatMap(({ on, name, command, roles, conditions }) => {
    const only = SPECIAL_POLICIES[name]
    if (only) return roles.join() === only ? [] : [`The policy ${name} on ${on} is for ${roles.join()}.`]
    if (name !== `scope_${command.toLowerCase()}`)
      return [`The policy ${name} on ${on} is not one that we know.`]
    // Only the operator, who is in no tenant, creates and removes tenants.
    const needed =
      on === 'tenants' && /INSERT|DELETE/.test(command) ? 'scope_is_operator()' : 'scope_tenant()'
    return conditions.length > 0 && conditions.every((condition) => condition.includes(needed))
      ? []
      : [`The policy ${name} on ${on} does not compare to ${needed}.`]
  })
}

async function foreignKeys(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{
    name: string
    on: string
    target: string
    columns: string[]
    targets: string[]
  }>`
    select k.conname as name, k.conrelid::regclass::text as on, k.confrelid::regclass::text as target,
      (select array_agg(a.attname::text order by n) from unnest(k.conkey) with ordinality u(attnum, n)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.attnum) as columns,
      (select array_agg(a.attname::text order by n) from unnest(k.confkey) with ordinality u(attnum, n)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.attnum) as targets
    from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace`.execute(db)
  return rows
    .filter(({ target }) => target === 'tenants' || !(target in GLOBAL_TABLES))
    .filter(({ name, target, columns, targets }) => {
      if (OTHER_TENANT_KEYS.includes(name)) return false
      if (target === 'tenants') return columns.join() !== 'tenant_id'
      return columns[0] !== 'tenant_id' || targets[0] !== 'tenant_id'
    })
    .map(
      ({ name, on, target }) =>
        `The foreign key ${name} of ${on} does not reach ${target} by the tenant first.`,
    )
}

async function uniqueKeys(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string; on: string; first: string | null }>`
    select i.indexrelid::regclass::text as name, c.relname as on,
      (select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = i.indkey[0]) as first
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`.execute(db)
  return rows
    .filter(
      ({ name, on, first }) => first !== 'tenant_id' && !(on in GLOBAL_TABLES) && !(name in PLATFORM_KEYS),
    )
    .map(({ name, on }) => `The unique key ${name} of ${on} does not begin with the tenant.`)
}

async function definers(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string; owner: string; has_path: boolean; is_public: boolean }>`
    select p.oid::regprocedure::text as name, p.proowner::regrole::text as owner,
      coalesce(exists (select from unnest(p.proconfig) s where s ~ '^search_path=.*pg_temp$'), false) as has_path,
      p.proacl is null or exists (select from aclexplode(p.proacl) where grantee = 0) as is_public
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.prosecdef and n.nspname not in ('pg_catalog', 'information_schema', 'graphile_worker')`.execute(
    db,
  )
  const missing = Object.keys(DEFINERS).filter((name) => !rows.some((row) => row.name === name))
  return [
    ...missing.map((name) => `The function ${name} is not SECURITY DEFINER.`),
    ...rows.flatMap(({ name, owner, has_path, is_public }) => [
      ...(DEFINERS[name] === owner ? [] : [`The function ${name} runs as ${owner}.`]),
      ...(has_path ? [] : [`The function ${name} has no search_path that ends with pg_temp.`]),
      ...(is_public ? [`The function ${name} may be called by everybody.`] : []),
    ]),
  ]
}

async function roles(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string; powers: string[]; groups: string[]; can_login: boolean }>`
    select rolname as name, rolcanlogin as can_login, array_remove(array[
        case when rolsuper then 'superuser' end, case when rolbypassrls then 'bypassrls' end,
        case when rolcreaterole then 'createrole' end, case when rolcreatedb then 'createdb' end,
        case when rolreplication then 'replication' end], null) as powers,
      array(select m.roleid::regrole::text from pg_auth_members m where m.member = r.oid) as groups
    from pg_roles r
    where rolname in ('liftwell_owner', 'liftwell_app', 'liftwell_worker', 'liftwell_identity', 'liftwell_lookup')`.execute(
    db,
  )
  return rows.flatMap(({ name, powers, groups, can_login }) => [
    ...powers.map((power) => `The role ${name} has ${power}.`),
    ...groups
      .filter((group) => !(name === 'liftwell_owner' && group === 'liftwell_lookup'))
      .map((group) => `The role ${name} is a member of ${group}.`),
    ...(name === 'liftwell_lookup' && can_login ? [`The role ${name} can sign in.`] : []),
  ])
}

/** Neither the application nor the provider sees the other's tables, and no role has TRUNCATE or REFERENCES. */
async function grants(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ role: string; on: string; privilege: string }>`
    select r.rolname as role, c.oid::regclass::text as on, a.privilege_type as privilege
    from pg_class c, aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee
    where c.relnamespace in ('public'::regnamespace, 'identity'::regnamespace) and c.relkind in ('r', 'p', 'v', 'm')
      and a.grantee <> c.relowner
      and (r.rolname is null
        or a.privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
        or (r.rolname = 'liftwell_lookup' and a.privilege_type <> 'SELECT')
        or (r.rolname = 'liftwell_identity') <> (c.relnamespace = 'identity'::regnamespace))`.execute(db)
  return rows.map(({ role, on, privilege }) => `${role ?? 'Everybody'} has ${privilege} on ${on}.`)
}
