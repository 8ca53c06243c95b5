/** Whether somebody wants a Monday mail. Sponsors get the brief unless they opt out; the summary is opt-in. */
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'
import type { MondayMail } from './mail-stop.ts'

const WANTS = {
  brief: sql<boolean>`not 'brief' = any(muted_notifications)`,
  summary: sql<boolean>`weekly_summary`,
}

export async function wantsMonday(
  { db }: Pick<Scope, 'db'>,
  user_id: number,
  monday: MondayMail,
): Promise<boolean> {
  const { wants } = await db
    .selectFrom('users')
    .select(WANTS[monday].as('wants'))
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  return wants
}

export async function setMonday(
  { db }: Pick<Scope, 'db'>,
  user_id: number,
  monday: MondayMail,
  isWanted: boolean,
): Promise<void> {
  const others = sql<string[]>`array_remove(muted_notifications, 'brief')`
  const muted_notifications = isWanted ? others : sql<string[]>`array_append(${others}, 'brief')`
  await db
    .updateTable('users')
    .set(monday === 'summary' ? { weekly_summary: isWanted } : { muted_notifications })
    .where('id', '=', user_id)
    .execute()
}

/** False if this week's mail has been handled already. */
export async function beginWeek(
  { actor, db }: Scope,
  user_id: number,
  kind: MondayMail,
  week_on: string,
): Promise<boolean> {
  const begun = await db
    .insertInto('monday_mails')
    .values({ tenant_id: actor.tenant_id, user_id, kind, week_on: sql<string>`${week_on}::date` })
    .onConflict((clash) => clash.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return begun !== undefined
}
