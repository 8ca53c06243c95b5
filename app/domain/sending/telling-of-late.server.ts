/** Notifies people about messages that could not leave in time and wait for a person's decision. */
import { sql } from 'kysely'
import { getVersion } from '../lifts/versions.server.ts'
import { notify } from '../notifications/notifications.server.ts'
import { MAX_LATENESS_HOURS } from '../occurrences/occurrence.ts'
import { takeTurns } from '../scope/advisory-lock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { Claimed } from './claimed-dispatch.server.ts'

/** Once per lift, for all of its late messages. */
export async function tellOfLate(scope: Scope, row: Claimed): Promise<void> {
  const { title } = await getVersion(scope, row.lift_id, row.content_version)
  const path = `/lljs/${row.journey_id}/lifts/${row.lift_id}/send`
  const message = `Messages of “${title}” could not leave in time. They wait until you send the lift now.`
  // Without this lock, two senders with messages of the same lift would both find that nobody was notified.
  await takeTurns(scope, `late:${row.lift_id}`)
  const people = await whoCanSend(scope, row)
  const told = await scope.db
    .selectFrom('notifications')
    .select('id')
    .where('user_id', 'in', [row.author_id, ...people])
    .where('created_on', '>', sql<Date>`scope_now() - make_interval(hours => ${MAX_LATENESS_HOURS})`)
    .where(sql<boolean>`content ->> 'message' = ${message} and content ->> 'path' = ${path}`)
    .executeTakeFirst()
  if (told) return
  const content = { title: row.journey_name, message, path }
  await notify(scope, people, { notification_type: 'warning', content })
}

/** Of lifts with messages that wait since a restore. */
export async function tellOfRestored(scope: Scope, liftIds: readonly number[]): Promise<void> {
  const rows = await scope.db
    .selectFrom('lifts as l')
    .innerJoin('journeys as j', 'j.id', 'l.journey_id')
    .select(['l.id as lift_id', 'l.title', 'l.journey_id', 'j.name', 'j.author_id'])
    .where('l.id', 'in', liftIds)
    .orderBy('l.id')
    .execute()
  for (const { lift_id, title, name, ...journey } of rows)
    await notify(scope, await whoCanSend(scope, journey), {
      notification_type: 'warning',
      content: {
        title: name,
        message: `Messages of “${title}” may have been sent already, before a backup was restored. They wait until you send the lift now.`,
        path: `/lljs/${journey.journey_id}/lifts/${lift_id}/send`,
      },
    })
}

type Journey = Pick<Claimed, 'author_id' | 'journey_id'>

/** The author; if their account is closed, the administrators of the journey's place. */
async function whoCanSend({ db }: Scope, { author_id, journey_id }: Journey): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with author as (select id from users where id = ${author_id} and activation_status <> 'disabled')
    select id from author
    union
    select r.user_id from user_general_roles r join journeys j on j.id = ${journey_id}
    where r.role = 'admin' and (r.sub_tenant_id is null or r.sub_tenant_id = j.sub_tenant_id)
      and not exists (select from author)`.execute(db)
  return rows.map(({ id }) => id)
}
