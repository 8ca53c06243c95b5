import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'
import type { Claimed } from './claimed-dispatch.server.ts'

/** The texts whose number had no other text before; a retry is the same text. */
export async function neverTexted(
  { db }: Scope,
  texts: readonly Pick<Claimed, 'id' | 'mobile_phone'>[],
): Promise<Set<number>> {
  if (texts.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select text.id from unnest(${texts.map(({ id }) => id)}::bigint[],
        ${texts.map(({ mobile_phone }) => mobile_phone)}::text[]) as text (id, number)
      left join lateral (select true as is_there from dispatches d where d.address = text.number
        and d.channel = 'sms' and d.sent_at is not null and d.id <> text.id limit 1) before on true
    where before.is_there is null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
