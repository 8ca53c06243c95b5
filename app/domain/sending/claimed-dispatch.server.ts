import { sql } from 'kysely'
import { settingsInForce } from '../quiet-hours.ts'
import type { Scope } from '../scope.server.ts'

/** Its turn is still to be planned anew: it may come at another time then, or not at all. */
const isPending = (kind: string) =>
  sql<boolean>`exists (select from journey_plans p where p.journey_id = o.journey_id
  and (p.kind = 'resume' or p.kind in ('edit', 'move') and ${kind} <> 'reminder' and o.created_on <= p.created_on)
  and (p.lift_ids = '{}' or o.lift_id = any(p.lift_ids))
  and m.id > p.after_member and m.id <= p.last_member and (p.member_ids is null or m.id = any(p.member_ids)))`.as(
    'is_pending',
  )

export async function readClaimed({ db }: Scope, id: number, owner: string) {
  const claimed = await db
    .selectFrom('dispatches')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'claimed')
    .where('lease_owner', '=', owner)
    .forUpdate()
    .executeTakeFirst()
  if (!claimed) return null
  const about = await db
    .selectFrom('occurrences as o')
    .innerJoin('members as m', 'm.id', 'o.member_id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .innerJoin('journeys as j', 'j.id', 'o.journey_id')
    .leftJoin('members as sm', 'sm.id', 'm.sponsor_id')
    .leftJoin('users as su', 'su.id', 'sm.user_id')
    .innerJoin('tenants as t', 't.id', 'j.tenant_id')
    .leftJoin('sub_tenants as st', 'st.id', 'j.sub_tenant_id')
    .select([
      'o.journey_id',
      'j.author_id',
      'o.lift_id',
      'o.content_version',
      't.timezone as tenant_zone',
      't.name as tenant_name',
      't.settings',
      'st.settings as sub_tenant_settings',
      sql<string | null>`coalesce(u.timezone, st.timezone)`.as('zone'),
      'o.closes_at',
      'o.by_hand',
      'o.zone as plan_zone',
      'j.send_days',
      'o.state as occurrence_state',
    ])
    .select([
      'm.id as member_id',
      'm.user_id',
      'm.state as member_state',
      'u.first_name',
      'u.email',
      'u.mobile_phone',
      'u.activation_status',
      'u.accepted_terms_on',
    ])
    .select(isPending(claimed.kind))
    .select(['j.name as journey_name', 'j.status as journey_status', 'su.first_name as sponsor_name'])
    .where('o.id', '=', claimed.occurrence_id)
    .executeTakeFirst()
  if (!about) return null
  const { sub_tenant_settings, ...more } = about
  // What a person sends again is their word, as what they send now is.
  const by_hand = about.by_hand || claimed.resend_of !== null
  return { ...claimed, ...more, by_hand, settings: settingsInForce(about.settings, sub_tenant_settings) }
}
export type Claimed = NonNullable<Awaited<ReturnType<typeof readClaimed>>>
