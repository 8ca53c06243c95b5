/** The lifts texted to a number, the latest text first. */
import { sql } from 'kysely'
import { isClosedFor } from '../lifts/find-occurrence.server.ts'
import type { Scope } from '../scope/scope.server.ts'

const MAX = 10
const DAYS = 60

export type TextedLift = Awaited<ReturnType<typeof listTexted>>[number]

/** Lifts of the number's present owner, if they still take part. */
export async function listTexted({ db }: Scope, number: string) {
  return selectTexts(db, number)
    .innerJoin('occurrences as o', 'o.id', 'd.occurrence_id')
    .innerJoin('members as m', 'm.id', 'o.member_id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .innerJoin('journeys as j', 'j.id', 'o.journey_id')
    .innerJoin('lifts as l', 'l.id', 'o.lift_id')
    .where('u.mobile_phone', '=', number)
    .where('u.activation_status', '<>', 'disabled')
    .where('m.role', '=', 'learner')
    .where('m.state', '<>', 'withdrawn')
    .select(['o.id', 'o.lift_id', 'o.content_version', 'o.state', 'o.closes_at', 'j.answers_until'])
    .select(['l.title', 'm.user_id', 'u.email', 'u.accepted_terms_on'])
    .groupBy(['o.tenant_id', 'o.id', 'j.tenant_id', 'j.id', 'l.tenant_id', 'l.id', 'm.user_id'])
    .groupBy(['u.tenant_id', 'u.id'])
    .orderBy(({ fn }) => fn.max('d.sent_at'), 'desc')
    .orderBy('o.id', 'desc')
    .limit(MAX)
    .execute()
}

/** When the company last texted a lift to the number; null if it never did. */
export async function lastTexted({ db }: Scope, number: string): Promise<Date | null> {
  const { last } = await selectTexts(db, number)
    .select(({ fn }) => fn.max('d.sent_at').as('last'))
    .executeTakeFirstOrThrow()
  return last
}

/** Whether the number belongs to a present or former learner of the journey. */
export async function learnsIn({ db }: Scope, number: string, journeyId: number): Promise<boolean> {
  const learner = await db
    .selectFrom('members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.id')
    .where('m.journey_id', '=', journeyId)
    .where('m.role', '=', 'learner')
    .where('u.mobile_phone', '=', number)
    .executeTakeFirst()
  return learner !== undefined
}

const selectTexts = (db: Scope['db'], number: string) =>
  db
    .selectFrom('dispatches as d')
    .where('d.channel', '=', 'sms')
    .where('d.address', '=', number)
    .where('d.kind', '<>', 'test')
    .where('d.state', 'in', ['sending', 'unknown', 'accepted', 'delivered'])
    .where('d.sent_at', '>', sql<Date>`scope_now() - make_interval(days => ${DAYS})`)

const SETTLED = ['completed', 'cancelled', 'held']
export const isOpen = (lift: TextedLift, now: Date): boolean =>
  !SETTLED.includes(lift.state) && !isClosedFor(lift, now)
