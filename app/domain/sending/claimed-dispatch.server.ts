import { type Selectable, sql } from 'kysely'
import { rowById } from '#app/db/row-by-id.server.ts'
import type { DB } from '#app/db/schema.ts'
import { settingsInForce } from '../hours/quiet-hours.ts'
import { BY_HAND_FROM } from '../planning/reminders/unanswered-learners.server.ts'
import type { Scope } from '../scope/scope.server.ts'

/** The occurrence is still to be replanned: it may move, or be cancelled. */
const IS_PENDING = sql<boolean>`exists (select from journey_plans p where p.journey_id = o.journey_id
  and (p.kind = 'resume' or p.kind in ('edit', 'move') and o.kind <> 'reminder' and o.created_on <= p.created_on)
  and (p.lift_ids = '{}' or o.lift_id = any(p.lift_ids))
  and m.id > p.after_member and m.id <= p.last_member and (p.member_ids is null or m.id = any(p.member_ids)))`

/** A reminder around an opt-out: lifts sent before it are not reminded of automatically. */
const IS_STOPPED = sql<boolean>`o.kind = 'reminder' and o.seq < ${sql.lit(BY_HAND_FROM)} and exists (
  select from consent_events e where e.number = u.mobile_phone and e.action = 'opt_out' and e.source <> 'profile'
    and e.at > (select max(l.sent_at) from dispatches l where l.occurrence_id = o.id and l.kind <> 'reminder'))`

/** The messages still claimed, in the order of `ids`; rows are locked in the same order as by edits. */
export async function readClaimed(scope: Scope, ids: readonly number[], owner: string): Promise<Claimed[]> {
  const claimed = await scope.db
    .selectFrom('dispatches')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where('state', '=', 'claimed')
    .where('lease_owner', '=', owner)
    .orderBy('occurrence_id')
    .orderBy('id')
    .forUpdate()
    .execute()
  if (claimed.length === 0) return []
  const byId = new Map(claimed.map((row) => [row.id, row]))
  const about = await readAbout(scope, claimed)
  const rows = about.flatMap(({ dispatch_id, sub_tenant_settings, ...more }) => {
    const row = byId.get(dispatch_id)
    if (!row) return []
    // A manual resend counts as sent by a person, like sending now.
    const by_hand = more.by_hand || row.resend_of !== null
    return [{ ...row, ...more, by_hand, settings: settingsInForce(more.settings, sub_tenant_settings) }]
  })
  return rows.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
}

/** Nobody of a deactivated or deleted company or sub-tenant could open a sent lift. */
const IS_OPEN = sql<boolean>`t.status = 'active' and coalesce(st.status, 'active') = 'active'`

type Dispatch = Selectable<DB['dispatches']>
type About = Awaited<ReturnType<typeof readAbout>>[number]
export type Claimed = Dispatch &
  Omit<About, 'dispatch_id' | 'settings' | 'sub_tenant_settings'> & { settings: unknown }

type Occurrence = Selectable<DB['occurrences']> & { dispatch_id: number; kind: string; seq: number }

/**
 * `offset 0` makes PostgreSQL look up rows one by one, where without statistics it would scan a table that just grew.
 */
const ONE_BY_ONE = sql.lit(0)

/** Further columns of these dispatches. */
const readAbout = ({ db }: Scope, claimed: readonly Dispatch[]) =>
  db
    .selectFrom(
      sql<Occurrence>`(select d.dispatch_id, d.kind, d.seq, o.* from unnest(${claimed.map(({ id }) => id)}::bigint[],
          ${claimed.map((row) => row.occurrence_id)}::bigint[], ${claimed.map(({ kind }) => kind)}::text[],
          ${claimed.map(({ seq }) => seq)}::int[]) as d (dispatch_id, occurrence_id, kind, seq)
        cross join lateral (select * from occurrences where id = d.occurrence_id offset 0) o)`.as('o'),
    )
    .innerJoinLateral(rowById('members', 'o.member_id').as('m'), (join) => join.onTrue())
    .innerJoinLateral(rowById('users', 'm.user_id').as('u'), (join) => join.onTrue())
    .innerJoin('journeys as j', 'j.id', 'o.journey_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('members as sm')
          .innerJoin('users as su', 'su.id', 'sm.user_id')
          .select('su.first_name')
          .whereRef('sm.id', '=', 'm.sponsor_id')
          .offset(ONE_BY_ONE)
          .as('sponsor'),
      (join) => join.onTrue(),
    )
    .innerJoin('tenants as t', 't.id', 'j.tenant_id')
    .leftJoin('sub_tenants as st', 'st.id', 'j.sub_tenant_id')
    .select([
      'o.dispatch_id',
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
    .select([IS_PENDING.as('is_pending'), IS_OPEN.as('is_open'), IS_STOPPED.as('is_stopped')])
    .select(['j.name as journey_name', 'j.status as journey_status', 'sponsor.first_name as sponsor_name'])
    .execute()
