/** Writes ten journeys of two hundred lifts, with enough learners for the wanted number of facts. */
import type pg from 'pg'
import type { Principal } from '#app/auth/principal.ts'

const LIFTS = 200
const JOURNEYS = 10

/** As if sent over a hundred days up to an hour ago, a hundredth on the last, in four zones within twenty minutes. */
export async function fillFacts(admin: pg.Client, author: Principal, facts: number): Promise<void> {
  const perJourney = Math.ceil(facts / LIFTS / JOURNEYS)
  for (let nth = 0; nth < JOURNEYS; nth++) {
    const journey = await addJourney(admin, author, nth, perJourney)
    // Skips foreign keys: the rows exist, and checking them for millions of facts takes many minutes.
    await admin.query('set session_replication_role = replica')
    await admin.query(
      `insert into occurrences (tenant_id, journey_id, lift_id, member_id, zone, due_at, state, content_version,
         opened_at, first_response_at, completed_at)
       select l.tenant_id, l.journey_id, l.id, m.id, 'UTC', due_at, 'sent', 1, due_at + interval '1 minute',
         case when m.id % 3 = 0 then due_at + interval '2 minutes' end, case when m.id % 4 = 0 then due_at + interval '3 minutes' end
       from lifts l join members m on m.tenant_id = l.tenant_id and m.journey_id = l.journey_id
         cross join lateral (select now() - interval '1 hour' - (l.position % 100) * interval '1 day'
           - (m.id % 4) * interval '3 hours' - (m.id % 20) * interval '1 minute' as due_at) d
       where l.journey_id = $1`,
      [journey],
    )
    await admin.query('reset session_replication_role')
    await admin.query('analyze occurrences')
    await admin.query(
      `insert into fact_occurrence (tenant_id, occurrence_id, journey_id, lift_id, member_id, user_id, exclude_data,
         required, state, delivery, due_at, accepted_at, delivered_at, opened_at, responded_at, completed_at)
       select o.tenant_id, o.id, o.journey_id, o.lift_id, o.member_id, m.user_id, false, true, o.state, 'accepted',
         o.due_at, o.due_at, o.due_at, o.opened_at, o.first_response_at, o.completed_at
       from occurrences o join members m on m.tenant_id = o.tenant_id and m.id = o.member_id where o.journey_id = $1`,
      [journey],
    )
  }
  await admin.query('vacuum analyze')
}

async function addJourney(
  admin: pg.Client,
  author: Principal,
  nth: number,
  learners: number,
): Promise<number> {
  const { rows } = await admin.query(
    `insert into journeys (tenant_id, name, category, author_id, status, launched_at)
     values ($1, $2, 'Sales', $3, 'active', now()) returning id::int`,
    [author.tenant_id, `Journey ${nth}`, author.user_id],
  )
  const id = rows[0].id as number
  await admin.query(
    `with made as (insert into lifts (tenant_id, journey_id, position, title, status)
       select $1, $2, n, 'Lift ' || n, 'ready' from generate_series(1, ${LIFTS}) n returning tenant_id, id)
     insert into lift_versions (tenant_id, lift_id, version, content)
     select tenant_id, id, 1, '{"prompts": [{"id": 1}]}' from made`,
    [author.tenant_id, id],
  )
  await admin.query(
    `with made as (insert into users (tenant_id, email, first_name, last_name, activation_status)
       select $1, '${nth}-' || n || '@bench.example', 'Learner', n::text, 'active' from generate_series(1, ${learners}) n
       returning tenant_id, id)
     insert into members (tenant_id, journey_id, user_id, role) select tenant_id, $2::bigint, id, 'learner' from made`,
    [author.tenant_id, id],
  )
  await admin.query('analyze users, members, lifts, journeys')
  return id
}
