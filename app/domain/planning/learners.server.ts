import { type RawBuilder, sql } from 'kysely'
import { nameOrEmail } from '#app/domain/text/full-name.ts'
import { type ConsentAction, foldConsent } from '../consent/consent.ts'
import type { Channel } from '../journeys/channel.ts'
import type { Journey } from '../journeys/journey.ts'
import type { Scope } from '../scope/scope.server.ts'
import { type Found, rowsOf } from '../search.server.ts'
import { chooseChannel } from './channel.ts'

export type Learner = {
  id: number
  user_id: number
  joined_at: Date
  email: string
  mobile_phone: string | null
  zone: string | null
  channel: Channel
  name: string
  /** The journey prefers text messages, but may not text this person. */
  fell_back: boolean
}

type Whose = Pick<Journey, 'id' | 'sub_tenant_id'>

type Whom = { withDisabled?: boolean; among?: Pick<Found, 'ids'> | null }

export const selectLearners = (
  { db }: Scope,
  journey: Whose,
  { withDisabled = false, among = null }: Whom = {},
) =>
  db
    .selectFrom(rowsOf('members', among).as('m'))
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('sub_tenants as s', (join) => join.on('s.id', '=', journey.sub_tenant_id))
    .where('m.journey_id', '=', journey.id)
    .where('m.role', '=', 'learner')
    .where('m.state', 'in', ['invited', 'active'])
    .$if(!withDisabled, (query) => query.where('u.activation_status', '!=', 'disabled'))

/** Counts everybody, and subtracts the few who are disabled. */
export async function countLearners(
  { db }: Scope,
  journey: Pick<Journey, 'id' | 'learners'>,
): Promise<number> {
  const { count } = await db
    .selectFrom('users as u')
    .innerJoin('members as m', (join) =>
      join.onRef('m.tenant_id', '=', 'u.tenant_id').onRef('m.user_id', '=', 'u.id'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('u.activation_status', '=', 'disabled')
    .where('m.journey_id', '=', journey.id)
    .where('m.role', '=', 'learner')
    .where('m.state', '!=', 'withdrawn')
    .executeTakeFirstOrThrow()
  return journey.learners - Number(count)
}

/** The time zones of the learners; null if unknown. */
export async function listZones(scope: Scope, journey: Whose): Promise<(string | null)[]> {
  const rows = await selectLearners(scope, journey)
    .select((eb) => eb.fn.coalesce('u.timezone', 's.timezone').as('zone'))
    .distinct()
    .execute()
  return rows.map((row) => row.zone)
}

/** Includes people who are disabled at the moment: their occurrences change with all others, and the sender checks again. */
export async function listLearners(
  scope: Scope,
  journey: Pick<Journey, 'id' | 'sub_tenant_id' | 'channels'>,
  memberIds?: readonly number[] | RawBuilder<number[]>,
  whom: Whom = {},
): Promise<Learner[]> {
  let query = selectLearners(scope, journey, whom).select([
    'm.id',
    'm.user_id',
    'm.joined_at',
    'u.email',
    'u.first_name',
    'u.last_name',
    'u.mobile_phone',
    'u.timezone',
    's.timezone as sub_zone',
    SAID,
  ])
  if (memberIds) query = query.where(sql<boolean>`m.id = any(${memberIds}::bigint[])`)
  const rows = await query.orderBy('m.id').execute()
  return rows.map(({ timezone, sub_zone, first_name, last_name, said, ...row }) => {
    const channel = chooseChannel(journey.channels, foldConsent(said))
    return {
      ...row,
      name: nameOrEmail({ first_name, last_name, email: row.email }),
      zone: timezone ?? sub_zone,
      channel,
      fell_back: journey.channels[0] === 'sms' && channel !== 'sms',
    }
  })
}

/** The consent events of each person's number, oldest first. */
const SAID = sql<ConsentAction[]>`array(select c.action from consent_events c
  where c.number = u.mobile_phone order by c.at, c.id)`.as('said')

/** Whether the owner of the number of `u` has agreed to texts: `foldConsent` in the database. */
const HAS_OPTED_IN = sql<boolean>`u.mobile_phone is not null and coalesce((select c.action = 'opt_in' from consent_events c
  where c.number = u.mobile_phone and c.action <> 'import' order by c.at desc, c.id desc limit 1), false)`

type Preferring = Pick<Journey, 'channels'>

/** A column for counting learners by `channelOf`. */
export const isTexted = ({ channels }: Preferring) =>
  channels[0] === 'sms' ? HAS_OPTED_IN : sql<boolean>`false`

export const channelOf = ({ channels }: Preferring, is_texted: boolean): Channel =>
  chooseChannel(channels, is_texted ? 'opted_in' : undefined)
