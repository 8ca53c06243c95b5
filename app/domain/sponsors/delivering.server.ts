/** Delivers an encouragement: by text if the learner agreed to texts, otherwise by e-mail, and never within quiet hours. */

import { fullName } from '#app/domain/text/full-name.ts'
import { numberStates } from '../consent/consents.server.ts'
import { restsUntil } from '../hours/resting.server.ts'
import { readClockAndHours } from '../journeys/clock-and-hours.server.ts'
import { whyNotMailed } from '../mail-stops/asking.server.ts'
import type { Links } from '../mail-stops/stopping.server.ts'
import type { Composed } from '../outbox/composed.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { encouragementMail, encouragementText } from './words.ts'

export async function composeEncouragement(
  scope: Scope,
  id: number,
  { origin, stopLink }: Links,
): Promise<Composed> {
  const row = await findEncouragement(scope, id)
  if (!row) return null
  const clock = await readClockAndHours(scope, row.journey_id)
  const wait = restsUntil(scope, { ...clock, id: row.member_id, timezone: row.timezone })
  if (wait) return { wait }
  const about = { user_id: row.user_id, journey_id: row.journey_id }
  const sponsor = fullName(row)
  const to = row.channels.includes('sms') && row.sms_opt_in ? row.mobile_phone : null
  if (to && (await numberStates(scope, [to])).get(to) === 'opted_in')
    return { channel: 'sms', to, subject: '', text: encouragementText({ ...row, sponsor }), about }
  if (await whyNotMailed(scope, row)) return null
  const { tenant_id } = scope.actor
  const unsubscribe = stopLink?.({ tenant_id, ...about })
  const said = {
    ...row,
    unsubscribe,
    sponsor,
    journey: row.name,
    url: `${origin}/lljs/${row.journey_id}/learner`,
  }
  return { channel: 'email', to: row.email, ...encouragementMail(said), about }
}

async function findEncouragement({ db }: Scope, id: number) {
  return (
    db
      .selectFrom('encouragements as e')
      .innerJoin('members as m', 'm.id', 'e.member_id')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .innerJoin('members as sm', 'sm.id', 'e.sponsor_id')
      .innerJoin('users as su', 'su.id', 'sm.user_id')
      .innerJoin('journeys as j', 'j.id', 'e.journey_id')
      .leftJoin('sub_tenants as s', 's.id', 'j.sub_tenant_id')
      .select([
        'e.said',
        'e.journey_id',
        'm.id as member_id',
        'u.id as user_id',
        'u.email',
        'u.mobile_phone',
        'u.sms_opt_in',
      ])
      .select(['su.first_name', 'su.last_name', 'j.name', 'j.channels'])
      .select((eb) => eb.fn.coalesce('u.timezone', 's.timezone').as('timezone'))
      .where('e.id', '=', id)
      // A learner with another sponsor by now gets no messages from the former one.
      .whereRef('m.sponsor_id', '=', 'e.sponsor_id')
      .where('m.state', '!=', 'withdrawn')
      .where('sm.state', '!=', 'withdrawn')
      .where('u.activation_status', '!=', 'disabled')
      .where('j.status', '!=', 'archived')
      .executeTakeFirst()
  )
}
