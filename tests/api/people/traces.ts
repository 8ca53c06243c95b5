/** Looks for words in every table there is, whoever's and whatever for. */
import type pg from 'pg'

/** Where one of the words stands: every column of every table of every schema but PostgreSQL's own. */
export async function tracesOf(admin: pg.Client, words: readonly string[]): Promise<string[]> {
  const { rows: columns } =
    await admin.query(`select n.nspname as schema, c.relname as table, a.attname as column
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname not in ('pg_catalog', 'pg_toast', 'information_schema') and c.relkind in ('r', 'p', 'm')
      and a.attnum > 0 and not a.attisdropped`)
  const found: string[] = []
  for (const { schema, table, column } of columns) {
    const text = `coalesce("${column}"::text, '')`
    // Bytes are written in hexadecimal digits.
    const { rows } = await admin.query(
      `select 1 from "${schema}"."${table}" where exists (
         select from unnest($1::text[]) word where strpos(lower(${text}), lower(word)) > 0
           or strpos(${text}, encode(convert_to(word, 'utf8'), 'hex')) > 0) limit 1`,
      [words],
    )
    if (rows.length > 0) found.push(`${schema === 'public' ? '' : `${schema}.`}${table}.${column}`)
  }
  return found.sort()
}
