/** A message with unknown delivery, as needed to ask its carrier. */

import type { Scope } from '../scope/scope.server.ts'
import { linkOfText } from '../sending/message.ts'

export type UnknownMessage = NonNullable<Awaited<ReturnType<typeof readUnknown>>>

export async function readUnknown({ actor, db }: Scope, id: number, origin: string) {
  const row = await db
    .selectFrom('dispatches as d')
    .innerJoin('occurrences as o', 'o.id', 'd.occurrence_id')
    .select([
      'd.id',
      'd.channel',
      'd.attempts',
      'd.address as to',
      'd.carrier',
      'd.unknown_since',
      'o.lift_id',
    ])
    .where('d.id', '=', id)
    .where('d.state', '=', 'unknown')
    .executeTakeFirst()
  if (!row) return null
  const { tenant_id } = actor
  return {
    tenant_id,
    key: `${tenant_id}:${id}`,
    channel: row.channel === 'sms' ? ('sms' as const) : ('email' as const),
    to: row.to,
    carrier: row.carrier,
    attempts: row.attempts,
    link: linkOfText(origin, row),
    since: row.unknown_since ?? new Date(),
  }
}
