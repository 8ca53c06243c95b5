/**
 * `npm run prove:baseline -- OLD NEW`: two folders of migrations create the same schema. Each creates its own
 * database, and every difference between their catalogs is reported. `git archive` restores old migrations.
 */
import { createHash } from 'node:crypto'
import pg from 'pg'
import { migrate } from '#app/db/migrate.server.ts'
import { derivePasswords, prepareDatabase } from '#app/db/prepare.server.ts'
import { withTarget } from '#app/db/url.ts'
import { startTestPostgres } from '#tests/support/postgres.ts'

const OURS = `c.relnamespace in ('public'::regnamespace, 'identity'::regnamespace) and c.relname <> 'schema_migrations'`
/** The position of a column, not counting dropped ones. */
const PLACE = `(select count(*) from pg_attribute b where b.attrelid = a.attrelid and b.attnum between 1 and a.attnum
    and not b.attisdropped)`

/** The parts of a schema: each query returns lines. The order of creation does not count. */
const CATALOGUE = {
  extensions: `select extname as line from pg_extension`,
  schemas: `select nspname || ' ' || coalesce((select string_agg(a::text, ' ' order by a::text) from unnest(nspacl) a), '') as line
    from pg_namespace where nspname in ('public', 'identity')`,
  types: `select t.typname || ' ' || string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum) as line
    from pg_type t join pg_class c on c.oid = t.typrelid join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'c' and c.relnamespace = 'public'::regnamespace group by t.typname`,
  tables: `select concat_ws(' ', c.oid::regclass, c.relkind, c.relowner::regrole, c.relrowsecurity, c.relforcerowsecurity, c.reloptions,
      (select string_agg(a::text, ' ' order by a::text) from unnest(c.relacl) a)) as line
    from pg_class c where ${OURS} and c.relkind in ('r', 'p', 'v', 'm', 'S')`,
  columns: `select concat_ws(' ', c.oid::regclass, ${PLACE}, a.attname, format_type(a.atttypid, a.atttypmod),
      a.attcollation::regcollation, a.attnotnull, a.attidentity, a.attgenerated, a.attstorage, a.attcompression,
      a.attstattarget, a.attoptions, pg_get_expr(d.adbin, d.adrelid),
      (select string_agg(x::text, ' ' order by x::text) from unnest(a.attacl) x)) as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${OURS} and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped`,
  sequences: `select concat_ws(' ', c.oid::regclass, s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmax, s.seqmin,
      s.seqcache, s.seqcycle) as line
    from pg_sequence s join pg_class c on c.oid = s.seqrelid where ${OURS}`,
  constraints: `select concat_ws(' ', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid), k.convalidated) as line
    from pg_constraint k join pg_class c on c.oid = k.conrelid where ${OURS}`,
  indexes: `select concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indisclustered, i.indisreplident,
      (select string_agg(a.attnum || ' ' || a.attstattarget, ' ' order by a.attnum) from pg_attribute a
        where a.attrelid = i.indexrelid)) as line
    from pg_index i join pg_class c on c.oid = i.indrelid where ${OURS}`,
  statistics: `select concat_ws(' ', pg_get_statisticsobjdef(s.oid), s.stxowner::regrole, s.stxstattarget) as line
    from pg_statistic_ext s join pg_class c on c.oid = s.stxrelid where ${OURS}`,
  policies: `select concat_ws(' ', c.oid::regclass, p.polname, p.polcmd, p.polpermissive,
      (select string_agg(r::regrole::text, ',' order by r::regrole::text) from unnest(p.polroles) r),
      pg_get_expr(p.polqual, p.polrelid), '/', pg_get_expr(p.polwithcheck, p.polrelid)) as line
    from pg_policy p join pg_class c on c.oid = p.polrelid where ${OURS}`,
  functions: `select concat_ws(' ', c.oid::regprocedure, c.proowner::regrole, c.prosecdef, pg_get_functiondef(c.oid),
      (select string_agg(a::text, ' ' order by a::text) from unnest(c.proacl) a)) as line
    from pg_proc c where c.pronamespace in ('public'::regnamespace, 'identity'::regnamespace) and c.prokind = 'f'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`,
  triggers: `select concat_ws(' ', c.oid::regclass, pg_get_triggerdef(t.oid), t.tgenabled) as line
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where ${OURS} and not t.tgisinternal`,
  comments: `select pg_describe_object(d.classoid, d.objoid, d.objsubid) || ': ' || d.description as line
    from pg_description d where d.objoid >= 16384
      and not exists (select from pg_depend e where e.classid = d.classoid and e.objid = d.objoid and e.deptype = 'e')`,
  'default rights': `select concat_ws(' ', defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype, defaclacl) as line
    from pg_default_acl`,
} as const

async function catalogueOf(url: string): Promise<Set<string>> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const lines = new Set<string>()
    for (const [kind, query] of Object.entries(CATALOGUE)) {
      for (const { line } of (await client.query<{ line: string }>(query)).rows)
        lines.add(`${kind}: ${line.replace(/\s+/g, ' ')}`)
    }
    for (const row of await rowsOf(client)) lines.add(`rows: ${row}`)
    return lines
  } finally {
    await client.end()
  }
}

/** The rows that migrations left in the tables. */
async function rowsOf(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c where ${OURS} and c.relkind in ('r', 'p')`,
  )
  const lines = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ line: string }>(`select to_jsonb(t)::text as line from ${name} t`)
    lines.push(...rows.map(({ line }) => `${name} ${line}`))
  }
  return lines
}

const [old, next] = process.argv.slice(2)
if (!old || !next) throw new Error('Two folders, please: the old migrations and the new ones')
const { postgres, stop } = await startTestPostgres(process.env.DATABASE_URL)
try {
  const made: Set<string>[] = []
  for (const folder of [old, next]) {
    const database = `liftwell_proof_${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`
    const urls = await prepareDatabase(postgres.adminUrl, {
      database,
      passwords: derivePasswords(postgres.secret),
    })
    process.stdout.write(`${folder}: ${(await migrate(urls.ownerUrl, folder)).length} migrations\n`)
    made.push(await catalogueOf(withTarget(postgres.adminUrl, { database })))
  }
  const [before, after] = made as [Set<string>, Set<string>]
  const differences = [
    ...[...before].filter((line) => !after.has(line)).map((line) => `- ${line}`),
    ...[...after].filter((line) => !before.has(line)).map((line) => `+ ${line}`),
  ].sort((a, b) => a.slice(2).localeCompare(b.slice(2)))
  for (const line of differences) process.stdout.write(`${line}\n`)
  process.stdout.write(
    `${before.size} and ${after.size} lines of catalogue, ${differences.length} differences.\n`,
  )
  process.exitCode = differences.length === 0 ? 0 : 1
} finally {
  await stop()
}
