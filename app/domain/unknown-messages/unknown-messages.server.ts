import { sql } from 'kysely'
import { knownNameOf } from '#app/domain/text/full-name.server.ts'
import { MAX_LATENESS_HOURS } from '../occurrences/occurrence.ts'
import { offsetOf, paginate } from '../page.ts'
import type { Scope } from '../scope/scope.server.ts'
import { COLUMNS, FROM, findWhyNot, matches, type Row } from './selecting.server.ts'
import { UnknownMessage, type UnknownMessageQuery } from './unknown-message.ts'

type Listed = Row & {
  sent_at: Date | null
  unknown_since: Date
  error_code: string | null
  member_id: number
  name: string
  journey: string
  title: string
  opened: boolean
}

export async function listUnknownMessages(scope: Scope, query: UnknownMessageQuery) {
  const where = matches(scope, query)
  const total = await countUnknown(scope, query)
  const { rows } = await sql<Listed>`
    select ${COLUMNS}, d.sent_at, d.unknown_since, d.error_code, m.id as member_id,
      coalesce(${knownNameOf('u')}, 'Person ' || m.user_id) as name,
      j.name as journey, l.title, o.opened_at is not null as opened
    from ${FROM} where ${where}
    order by d.unknown_since desc, d.id desc
    limit ${query.per_page} offset ${offsetOf(query)}`.execute(scope.db)
  return { data: rows.map(toMessage), pagination: paginate(total, query) }
}

export async function countUnknown(scope: Scope, wanted: Parameters<typeof matches>[1]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from ${FROM} where ${matches(scope, wanted)}`.execute(scope.db)
  return Number(rows[0]?.count ?? 0)
}

function toMessage(row: Listed): UnknownMessage {
  const until = new Date(row.unknown_since.getTime() + MAX_LATENESS_HOURS * 3_600_000)
  return UnknownMessage.parse({
    id: row.id,
    kind: row.kind,
    channel: row.channel,
    sent_at: row.sent_at?.toISOString() ?? null,
    unknown_since: row.unknown_since.toISOString(),
    cause: row.error_code === null ? 'interrupted' : 'no_answer',
    asked_until: row.is_asked ? until.toISOString() : null,
    learner: { user_id: row.user_id, member_id: row.member_id, name: row.name },
    journey: { id: row.journey_id, name: row.journey },
    lift: { id: row.lift_id, title: row.title },
    opened: row.opened,
    why_not: findWhyNot(row),
  })
}
