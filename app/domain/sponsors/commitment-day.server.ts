/** On the day of a commitment its learner is reminded once, on their usual channel. */
import { sql } from 'kysely'
import { numberStates } from '../consent/consents.server.ts'
import { restsUntil } from '../hours/resting.server.ts'
import { readClockAndHours } from '../journeys/clock-and-hours.server.ts'
import { whyNotMailed } from '../mail-stops/asking.server.ts'
import type { Links } from '../mail-stops/stopping.server.ts'
import { notify } from '../notifications/notifications.server.ts'
import type { Composed } from '../outbox/composed.server.ts'
import { takeTurns } from '../scope/advisory-lock.server.ts'
import { todayIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { hadReminderToday } from '../sending/daily-limit.server.ts'
import { heldUntil } from '../sending/send-limits.server.ts'
import { commitmentMail, commitmentText } from './commitment-words.ts'

/** Notifies them in the product immediately. False if another worker has begun it. */
export async function beginDay({ actor, db }: Scope, user_id: number, by_on: string): Promise<boolean> {
  const begun = await db
    .updateTable('commitments')
    .set({ reminded_on: sql<string>`${by_on}::date` })
    .where('state', '=', 'open')
    .where('reminded_on', 'is', null)
    .where('by_on', '=', sql<string>`${by_on}::date`)
    .where('member_id', 'in', (one) =>
      one.selectFrom('members').select('id').where('user_id', '=', user_id).where('state', '!=', 'withdrawn'),
    )
    .returning(['id', 'response_id'])
    .execute()
  for (const { response_id } of begun) {
    const { what } = await db
      .selectFrom('responses')
      .select(sql<string>`value ->> 'what'`.as('what'))
      .where('id', '=', response_id)
      .executeTakeFirstOrThrow()
    await notify({ actor, db }, [user_id], {
      notification_type: 'info',
      content: { title: 'Your commitment is for today', message: `I will ${what}`, path: '/todo' },
    })
  }
  return begun.length > 0
}

/** Null if no message is sent and the commitment is only in the to-do list. */
export async function composeDay(
  scope: Scope,
  user_id: number,
  by_on: string,
  { origin, stopLink }: Links,
): Promise<Composed> {
  const all = await listDue(scope, user_id, by_on)
  const [first] = all
  if (!first) return null
  const clock = await readClockAndHours(scope, first.journey_id)
  const zone = first.zone ?? clock.tenant_zone
  if (todayIn(scope, zone) !== by_on) return null
  await takeTurns(scope, `day of ${user_id}`)
  if (await hadReminderToday(scope, user_id, zone)) return null
  const rests = restsUntil(scope, { ...clock, id: user_id, timezone: first.zone })
  if (rests) return { wait: rests }
  const number = all.some(({ channels }) => channels.includes('sms')) ? first.mobile_phone : null
  const mayText = number && (await numberStates(scope, [number])).get(number) === 'opted_in'
  const by = mayText ? ('sms' as const) : ('email' as const)
  const held = await heldUntil(scope, { ...clock, id: 0, channel: by, mobile_phone: number })
  if (held) return { wait: held }
  const due = mayText ? all : await keepMailed(scope, user_id, all)
  const [told] = due
  if (!told) return null
  await scope.db
    .updateTable('commitments')
    .set({ messaged_on: sql<string>`${by_on}::date` })
    .where(
      'id',
      'in',
      due.map(({ id }) => id),
    )
    .execute()
  const { tenant_id } = scope.actor
  const about = { user_id, journey_id: told.journey_id }
  const unsubscribe = stopLink?.({ tenant_id, ...about })
  const said = { ...told, whats: due.map(({ what }) => what), origin, unsubscribe }
  return mayText
    ? { channel: 'sms', to: number, subject: '', text: commitmentText(said), about }
    : { channel: 'email', to: told.email, ...commitmentMail(said), about }
}

/** Only commitments of journeys whose mails the person still gets. */
async function keepMailed(scope: Scope, user_id: number, due: Awaited<ReturnType<typeof listDue>>) {
  const kept: typeof due = []
  for (const one of due) if (!(await whyNotMailed(scope, { ...one, user_id }))) kept.push(one)
  return kept
}

const listDue = ({ db }: Scope, user_id: number, by_on: string) =>
  db
    .selectFrom('commitments as c')
    .innerJoin('responses as r', 'r.id', 'c.response_id')
    .innerJoin('members as m', 'm.id', 'c.member_id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .innerJoin('journeys as j', 'j.id', 'c.journey_id')
    .innerJoin('tenants as t', 't.id', 'c.tenant_id')
    .leftJoin('sub_tenants as s', 's.id', 'j.sub_tenant_id')
    .select(['c.id', 'c.journey_id', 'j.name as journey', 'j.channels', 't.name as company'])
    .select(['u.email', 'u.mobile_phone', 'u.first_name', sql<string>`r.value ->> 'what'`.as('what')])
    .select((eb) => eb.fn.coalesce('u.timezone', 's.timezone').as('zone'))
    .where('m.user_id', '=', user_id)
    .where('m.state', '!=', 'withdrawn')
    .where('u.activation_status', '!=', 'disabled')
    .where('j.status', 'in', ['scheduled', 'active', 'completed'])
    .where('c.state', '=', 'open')
    .where('c.by_on', '=', sql<string>`${by_on}::date`)
    .where('c.reminded_on', '=', sql<string>`${by_on}::date`)
    .orderBy('c.id')
    .execute()
