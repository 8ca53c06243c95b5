/** Whether an automatic mail may be sent; checked each time before one leaves. */
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'
import type { AddressEvent } from './addresses.server.ts'

/** `journey_id` is null for mails about several journeys. */
type About = { email: string; user_id: number; journey_id: number | null }
export type WhyNot = 'mail_stopped' | 'address_bounced' | 'address_complained'

export async function whyNotMailed(scope: Scope, about: About): Promise<WhyNot | null> {
  return (await whyNotMailedEach(scope, [about]))[0] ?? null
}

/** One result per mail, in their order; null if it may be sent. */
export async function whyNotMailedEach({ db }: Scope, mails: readonly About[]): Promise<(WhyNot | null)[]> {
  if (mails.length === 0) return []
  const { rows } = await sql<{ is_stopped: boolean; last: AddressEvent['kind'] | 'tried_again' | null }>`
    select exists (select from mail_stops s where s.user_id = mail.user_id
        and (s.journey_id is null or s.journey_id = mail.journey_id)) as is_stopped,
      (select kind from address_state(mail.address)) as last
    from unnest(${mails.map((mail) => mail.email)}::citext[], ${mails.map((mail) => mail.user_id)}::bigint[],
      ${mails.map((mail) => mail.journey_id)}::bigint[]) with ordinality as mail (address, user_id, journey_id, nth)
    order by mail.nth`.execute(db)
  return rows.map(({ is_stopped, last }): WhyNot | null => {
    if (is_stopped) return 'mail_stopped'
    return last === null || last === 'tried_again' ? null : `address_${last}`
  })
}

/**
 * The people of a journey whom no mail of it would reach. Read from the few blocked ones, not from all participants.
 */
export async function unmailedIn({ db }: Pick<Scope, 'db'>, journeyId: number): Promise<Set<number>> {
  const { rows } = await sql<{ user_id: number }>`
    select no.user_id from (
      select user_id from mail_stops where journey_id is null or journey_id = ${journeyId}
      union
      select people_of_addresses(array_agg(address)) from (
        select distinct on (address) address, kind from address_events order by address, id desc
      ) last where kind <> 'tried_again'
    ) no where exists (select from members m where m.journey_id = ${journeyId} and m.user_id = no.user_id)`.execute(
    db,
  )
  return new Set(rows.map(({ user_id }) => user_id))
}
