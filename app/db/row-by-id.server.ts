/** Joins that no plan can turn into a walk through all that a tenant has. */
import { type Selectable, sql } from 'kysely'
import type { DB } from './schema.ts'

/**
 * For a lateral join: the row of `table` that `id` names, looked up for each row before it, whatever PostgreSQL expects.
 * A plan that is kept was made for another company, or before this one grew.
 */
export const rowById = <Table extends keyof DB>(table: Table, id: string) =>
  sql<Selectable<DB[Table]>>`(select * from ${sql.table(table)} where id = ${sql.ref(id)} offset 0)`
