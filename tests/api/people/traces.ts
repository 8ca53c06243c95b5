/** Searches every table for words. */
import type pg from 'pg'

/** Where the words are found: every column of every table outside PostgreSQL's own schemas. */
export async function tracesOf(admin: pg.Client, words: readonly string[]): Promise<string[]> {
  const { rows: columns } =
    await admin.query(`select n.nspname as schema, c.relname as table, a.attname as column
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname not in ('pg_catalog', 'pg_toast', 'information_schema') and c.relkind in ('r', 'p', 'm')
      and a.attnum > 0 and not a.attisdropped`)
  const found: string[] = []
  for (const { schema, table, column } of columns) {
    const text = `coalesce("${column}"::text, '')`
    // Bytes are compared as hexadecimal digits.
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
