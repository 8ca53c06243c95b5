/** Notifies people that messages wait for a decision: once per batch, with the number that they can see. */

import { sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import { figures } from '#app/domain/text/figures.ts'
import { notify } from '../notifications/notifications.server.ts'
import { NEVER } from '../occurrences/settled.server.ts'
import type { Scope } from '../scope/scope.server.ts'

const PATH = '/messages/unconfirmed'
/** Messages found within this time are one batch. */
const BATCH_MS = 5 * 60_000

/** A batch ends at a fixed time, however many messages are added meanwhile. */
export async function tellSoon({ actor, db }: Scope): Promise<void> {
  const run_at = new Date(Math.ceil(Date.now() / BATCH_MS) * BATCH_MS)
  await addJob(db, 'tell-of-unknown', {}, { key: `tell-of-unknown:${actor.tenant_id}`, run_at })
}

/** An unread notification of an earlier batch gets the new number; no second one is added. */
export async function tellOfUnknown(scope: Scope): Promise<void> {
  const waiting = await countForEach(scope)
  for (const [count, userIds] of Map.groupBy(waiting, (one) => one.count)) {
    const content = contentOf(count)
    const { rows: told } = await sql<{ user_id: number }>`
      update notifications set content = ${JSON.stringify(content)}::jsonb
      where user_id = any(${userIds.map((one) => one.user_id)}::bigint[]) and not has_read
        and content ->> 'path' = ${PATH} returning user_id`.execute(scope.db)
    const known = new Set(told.map((one) => one.user_id))
    const others = userIds.map((one) => one.user_id).filter((id) => !known.has(id))
    await notify(scope, others, { notification_type: 'warning', content })
  }
}

function contentOf(count: number) {
  const message =
    count === 1
      ? '1 message may not have arrived. Decide whether it is sent again.'
      : `${figures(count)} messages may not have arrived. Decide whether they are sent again.`
  return { title: 'Unconfirmed messages', message, path: PATH }
}

/** Counts for administrators the messages of their place, for authors those of their journeys. */
async function countForEach({ db }: Scope) {
  const { rows } = await sql<{ user_id: number; count: number }>`
    select r.user_id, count(distinct d.id) as count
    from dispatches d
      join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
      join journeys j on j.tenant_id = o.tenant_id and j.id = o.journey_id
      join user_general_roles r on r.tenant_id = j.tenant_id
        and (r.sub_tenant_id is null or r.sub_tenant_id = j.sub_tenant_id)
        and (r.role = 'admin' or r.role = 'author' and r.user_id = j.author_id)
    where d.state = 'unknown' and d.next_attempt_at >= ${NEVER} group by 1 order by 1`.execute(db)
  return rows.map(({ user_id, count }) => ({ user_id, count: Number(count) }))
}
