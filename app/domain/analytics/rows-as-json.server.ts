import { type RawBuilder, sql } from 'kysely'

/** Rows as one JSON value, to be selected beside others; their order is kept. */
export const rowsAsJson = <Row>(rows: RawBuilder<Row>) =>
  sql<Row[]>`(select coalesce(jsonb_agg(to_jsonb(one)), '[]') from (${rows}) one)`
