/** Fills a company of a given size with journeys, one of them with everyone in it, their results, groups and messages. */
import type pg from 'pg'

type Company = { tenant_id: string; user_id: number | null; people: number }

const EVERYBODY = 'Everybody learns'
const GROUPS = 50
/** Learners whom the asking person sponsors. */
const SPONSORED = 100

/** False when the company was filled already: it is written completely or not at all. */
export async function fillCompany(
  admin: pg.Client,
  { tenant_id, user_id, people }: Company,
): Promise<boolean> {
  const { rowCount } = await admin.query('select from journeys where tenant_id = $1 and name = $2', [
    tenant_id,
    EVERYBODY,
  ])
  if (rowCount) return false
  await admin.query('begin')
  await admin.query(JOURNEYS, [tenant_id, people])
  const { rows } = await admin.query(JOURNEY, [tenant_id, user_id, EVERYBODY, people])
  const journey: number = rows[0].id
  await admin.query(MEMBERS, [tenant_id, journey])
  await admin.query(LEARNERS_OF_ASKER, [tenant_id, journey, user_id])
  await admin.query(OCCURRENCES, [tenant_id, journey])
  await admin.query(RESPONSES, [tenant_id, journey])
  await admin.query('analyze users, journeys, lifts, members, occurrences')
  // Triggers on the facts write the sums, so they are enabled for this statement.
  await admin.query('set local session_replication_role = origin')
  await admin.query(FACTS, [tenant_id, journey])
  await admin.query('set local session_replication_role = replica')
  await admin.query(GROUPS_OF_PEOPLE, [tenant_id])
  await admin.query(NOTIFICATIONS, [tenant_id, user_id, Math.max(100, people / 100)])
  await admin.query('commit')
  return true
}

/** One journey for a hundred people. */
const JOURNEYS = `insert into journeys (tenant_id, name, category, author_id, status, created_on)
  select $1, (array['Onboarding', 'Selling', 'Leading', 'Safety first', 'Feedback', 'Planning'])[n % 6 + 1] || ' ' || n,
    (array['Sales', 'Safety', 'Leadership', 'Service'])[n % 4 + 1], author.id,
    case when n % 50 = 0 then 'archived' else (array['draft', 'completed', 'draft'])[n % 3 + 1] end, now() - n * interval '1 hour'
  from generate_series(1, $2::int / 100) n
    cross join lateral (select id from users where tenant_id = $1 order by id offset n % 20 limit 1) author`

const JOURNEY = `with journey as (
    insert into journeys (tenant_id, name, category, author_id, status, launched_at, lift_count, learner_count)
    values ($1, $3, 'Sales', $2, 'active', now() - interval '20 days', 1, $4::int) returning tenant_id, id),
  made as (
    insert into lifts (tenant_id, journey_id, position, title, status)
    select tenant_id, id, 1, 'Ask somebody', 'ready' from journey returning tenant_id, id),
  asked as (
    insert into prompts (tenant_id, lift_id, position, kind, text)
    select tenant_id, id, 1, 'short_text', 'What will you do?' from made returning tenant_id, lift_id, id)
  insert into lift_versions (tenant_id, lift_id, version, content)
  select tenant_id, lift_id, 1, jsonb_build_object('prompts', jsonb_build_array(jsonb_build_object('id', id))) from asked
  returning (select id::int from journey)`

const MEMBERS = `insert into members (tenant_id, journey_id, user_id, role, state, joined_at)
  select tenant_id, $2::bigint, id, 'learner', 'active', now() - interval '20 days' - id % 1000 * interval '1 minute'
  from users where tenant_id = $1 and email like '%@bench.example'`

const LEARNERS_OF_ASKER = `with own as (
    insert into members (tenant_id, journey_id, user_id, role, state) values ($1, $2, $3, 'sponsor', 'active') returning id)
  update members set sponsor_id = (select id from own) where tenant_id = $1 and id in (
    select id from members where tenant_id = $1 and journey_id = $2 and role = 'learner' order by id limit ${SPONSORED})`

const OCCURRENCES = `insert into occurrences (tenant_id, journey_id, lift_id, member_id, zone, due_at, state, content_version,
    opened_at, first_response_at, completed_at)
  select m.tenant_id, m.journey_id, l.id, m.id, 'Europe/Vienna', due_at, case when m.id % 3 = 0 then 'completed' else 'sent' end, 1,
    due_at + interval '1 minute', done_at, done_at
  from members m join lifts l on l.tenant_id = m.tenant_id and l.journey_id = m.journey_id
    cross join lateral (select now() - interval '13 days' - m.id % 20 * interval '1 minute' as due_at) d
    cross join lateral (select case when m.id % 3 = 0 then due_at + interval '2 minutes' end as done_at) t
  where m.tenant_id = $1 and m.journey_id = $2 and m.role = 'learner'`

const RESPONSES = `insert into responses (tenant_id, member_id, lift_id, prompt_id, prompt_version, value, submitted_at)
  select o.tenant_id, o.member_id, o.lift_id, p.id, 1, to_jsonb('I will ask ' || o.member_id || ' people'), o.completed_at
  from occurrences o join prompts p on p.tenant_id = o.tenant_id and p.lift_id = o.lift_id
  where o.tenant_id = $1 and o.journey_id = $2 and o.completed_at is not null`

const FACTS = `insert into fact_occurrence (tenant_id, occurrence_id, journey_id, lift_id, member_id, user_id, exclude_data,
    required, state, delivery, due_at, accepted_at, delivered_at, opened_at, responded_at, completed_at)
  select o.tenant_id, o.id, o.journey_id, o.lift_id, o.member_id, m.user_id, false, true, o.state, 'accepted',
    o.due_at, o.due_at, o.due_at, o.opened_at, o.first_response_at, o.completed_at
  from occurrences o join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
  where o.tenant_id = $1 and o.journey_id = $2`

/** Each group has a hundredth of the people. */
const GROUPS_OF_PEOPLE = `with made as (
    insert into user_groups (tenant_id, name) select $1, 'Group ' || n from generate_series(1, ${GROUPS}) n
    returning tenant_id, id, name)
  insert into user_group_users (tenant_id, group_id, user_id)
  select made.tenant_id, made.id, u.id from users u join made on made.tenant_id = u.tenant_id
    and made.name = 'Group ' || u.id % 100 where u.tenant_id = $1`

/** One for everyone, more for the asking person. */
const NOTIFICATIONS = `insert into notifications (tenant_id, user_id, notification_type, content, has_read, created_on)
  select $1, user_id, 'info', '{"title": "Well done", "message": "Everybody answered."}', nth % 3 = 0, now() - nth * interval '1 minute'
  from (select id, 0 from users where tenant_id = $1
    union all select $2::bigint, n from generate_series(1, $3::int) n) told (user_id, nth)`
