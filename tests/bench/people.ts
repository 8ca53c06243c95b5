/** Fills a tenant with people, each with a role and a line in the audit log. */
import type pg from 'pg'
import type { Actor } from '#app/domain/access/actor.ts'
import { fillCompany } from './company.ts'

const BATCH = 50_000

/** Creates only missing people: those of the last run are used again. */
export async function fillTenant(
  admin: pg.Client,
  { tenant_id, user_id }: Pick<Actor, 'tenant_id' | 'user_id'>,
  people: number,
): Promise<void> {
  const { rows } = await admin.query('select count(*)::int as there from users where tenant_id = $1', [
    tenant_id,
  ])
  // Skips triggers and foreign keys: the rows exist, counts are written with them, and checks of millions take many
  // minutes.
  await admin.query('set session_replication_role = replica')
  if (rows[0].there < people) await addPeople(admin, tenant_id, { from: rows[0].there, to: people })
  const isNew = await fillCompany(admin, { tenant_id, user_id, people })
  await admin.query('reset session_replication_role')
  if (isNew) await admin.query('vacuum analyze')
}

/** Text indexes are built once at the end: row by row they would take longer than everything else. */
async function addPeople(admin: pg.Client, tenant_id: string, { from, to }: { from: number; to: number }) {
  await admin.query('begin')
  const { rows: indexes } = await admin.query(
    `select indexname, indexdef from pg_indexes where tablename in ('users', 'audit_events') and indexdef like '%USING gin%'`,
  )
  for (const { indexname } of indexes) await admin.query(`drop index ${indexname}`)
  for (let there = from; there < to; there += BATCH)
    await admin.query(INSERT, [tenant_id, there + 1, Math.min(to, there + BATCH)])
  await admin.query(`set local maintenance_work_mem = '1GB'`)
  for (const { indexdef } of indexes) await admin.query(indexdef)
  await admin.query('commit')
}

const INSERT = `with made as (
    insert into users (tenant_id, email, first_name, last_name, job_title, department, timezone, activation_status, created_on)
    select $1::uuid, 'person-' || n || '.' || left($1::text, 8) || '@bench.example',
      (array['Mara', 'Jonas', 'Priya', 'Diego', 'Aiko', 'Noah', 'Zanele', 'Luca', 'Ingrid', 'Omar'])[n % 10 + 1],
      (array['Fischer', 'Okafor', 'Sato', 'Moreau', 'Silva', 'Novak', 'Haddad'])[n % 7 + 1] || ' ' || n,
      (array['Planner', 'Buyer', 'Analyst'])[n % 3 + 1],
      case when n % 500 = 0 then 'Legal' else (array['Sales', 'Finance', 'Operations', 'Warehouse'])[n % 4 + 1] end,
      'Europe/Vienna', (array['active', 'active', 'invited'])[n % 3 + 1], now() - n * interval '1 minute'
    from generate_series($2::int, $3::int) n returning tenant_id, id, email, created_on),
  held as (
    insert into user_general_roles (tenant_id, user_id, role, user_created_on)
      select tenant_id, id, case when id % 100 = 0 then 'author' else 'user' end, created_on from made)
  insert into audit_events (tenant_id, at, action, subject_type, subject_id, subject_name, changes)
    select tenant_id, created_on, case when id % 100 = 0 then 'user.updated' else 'user.created' end, 'user', id::text, email::text, '{}'
    from made`
