/** Joins that no plan can turn into a scan of everything a tenant has. */
import { type Selectable, sql } from 'kysely'
import type { DB } from './schema.ts'

/**
 * For a lateral join: looks the row of `table` up by `id` for each row before it, no matter what the planner expects
 * (`offset 0` keeps it separate). A kept plan was made for another tenant, or before this one grew.
 */
export const rowById = <Table extends keyof DB>(table: Table, id: string) =>
  sql<Selectable<DB[Table]>>`(select * from ${sql.table(table)} where id = ${sql.ref(id)} offset 0)`
