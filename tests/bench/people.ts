/** As many people as a tenant is to have, each with a role and a line in the audit log. */
import type pg from 'pg'

const BATCH = 50_000

/** Makes those who are missing: what was made for the last run is used again. */
export async function fillTenant(admin: pg.Client, tenant_id: string, people: number): Promise<void> {
  const { rows } = await admin.query('select count(*)::int as there from users where tenant_id = $1', [
    tenant_id,
  ])
  for (let there: number = rows[0].there; there < people; there += BATCH)
    await admin.query(INSERT, [tenant_id, there + 1, Math.min(people, there + BATCH)])
  if (rows[0].there < people) await admin.query('vacuum analyze')
}

const INSERT = `with made as (
    insert into users (tenant_id, email, first_name, last_name, job_title, department, timezone, activation_status, created_on)
    select $1::uuid, 'person-' || n || '.' || left($1::text, 8) || '@bench.example',
      (array['Mara', 'Jonas', 'Priya', 'Diego', 'Aiko', 'Noah', 'Zanele', 'Luca', 'Ingrid', 'Omar'])[n % 10 + 1],
      (array['Fischer', 'Okafor', 'Sato', 'Moreau', 'Silva', 'Novak', 'Haddad'])[n % 7 + 1] || ' ' || n,
      (array['Planner', 'Buyer', 'Analyst'])[n % 3 + 1], (array['Sales', 'Finance', 'Operations', 'Warehouse'])[n % 4 + 1],
      'Europe/Vienna', (array['active', 'active', 'invited'])[n % 3 + 1], now() - n * interval '1 minute'
    from generate_series($2::int, $3::int) n returning tenant_id, id, email),
  held as (
    insert into user_general_roles (tenant_id, user_id, role) select tenant_id, id, 'user' from made)
  insert into audit_events (tenant_id, action, subject_type, subject_id, subject_name, changes)
    select tenant_id, 'user.created', 'user', id::text, email::text, '{}' from made`
