/** Journeys of any size for the bench, written past the API because creating them is not measured. */
import type { Bench } from './site.ts'

export const ZONES = ['Europe/Vienna', 'America/New_York', 'Asia/Tokyo']

/** A draft with `lifts` complete lifts, a question in each, and as many new learners. */
export async function makeDraft(
  { admin, author }: Bench,
  name: string,
  lifts: number,
  learners: number,
  zones: readonly string[] = ZONES,
) {
  const { rows } = await admin.query(
    `insert into journeys (tenant_id, name, category, author_id, start_on)
     values ($1, $2, 'Safety', $3, current_date + 2) returning id::int`,
    [author.tenant_id, name, author.user_id],
  )
  const id = rows[0].id as number
  const values = [author.tenant_id, id]
  await admin.query(
    `with made as (
       insert into lifts (tenant_id, journey_id, position, title, blocks, schedule, status)
       select $1, $2, n, 'Lift ' || n, jsonb_build_array(jsonb_build_object('kind', 'text', 'markdown', repeat('Text. ', 100))),
         jsonb_build_object('kind', 'offset', 'from', 'start', 'days', n, 'time', '10:00'), 'ready'
       from generate_series(1, ${lifts}) n returning tenant_id, id)
     insert into prompts (tenant_id, lift_id, position, kind, text)
     select tenant_id, id, 1, 'short_text', 'What will you do?' from made`,
    values,
  )
  await admin.query(
    `with made as (
       insert into users (tenant_id, email, first_name, last_name, timezone, activation_status)
       select $1, replace($3, ' ', '-') || '-' || n || '@bench.example', 'Learner', n::text,
         ($4::text[])[n % array_length($4::text[], 1) + 1], 'active'
       from generate_series(1, $5::int) n returning tenant_id, id)
     insert into members (tenant_id, journey_id, user_id, role) select tenant_id, $2::bigint, id, 'learner' from made`,
    [...values, name, zones, learners],
  )
  return id
}

/** As if launched: occurrences of the first lifts, some of them answered, with their facts. */
export async function makeRunning({ admin }: Bench, id: number, lifts: number): Promise<void> {
  await admin.query(`update journeys set status = 'active', launched_at = now() where id = $1`, [id])
  await admin.query(
    `insert into occurrences (tenant_id, journey_id, lift_id, member_id, zone, due_at, state, content_version, completed_at)
     select l.tenant_id, l.journey_id, l.id, m.id, 'UTC', now() + (l.position - 20) * interval '1 day',
       case when m.id % 2 = 0 then 'completed' else 'sent' end, 1, case when m.id % 2 = 0 then now() end
     from lifts l join members m on m.tenant_id = l.tenant_id and m.journey_id = l.journey_id
     where l.journey_id = $1 and l.position <= ${lifts}`,
    [id],
  )
  await admin.query(
    `insert into fact_occurrence (tenant_id, occurrence_id, journey_id, lift_id, member_id, user_id, exclude_data,
       required, state, delivery, due_at, accepted_at, completed_at)
     select o.tenant_id, o.id, o.journey_id, o.lift_id, o.member_id, m.user_id, false, true, o.state, 'accepted',
       o.due_at, o.due_at, o.completed_at
     from occurrences o join members m on m.tenant_id = o.tenant_id and m.id = o.member_id where o.journey_id = $1`,
    [id],
  )
  await admin.query('analyze')
}
