import { type RawBuilder, sql } from 'kysely'

/** As one value beside others, in their own order. */
export const rowsAsJson = <Row>(rows: RawBuilder<Row>) =>
  sql<Row[]>`(select coalesce(jsonb_agg(to_jsonb(one)), '[]') from (${rows}) one)`
