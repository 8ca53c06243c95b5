/** Every policy of every table, dropped, and widened in each way that would let a stranger through. */
import type pg from 'pg'
import type { Command } from './wall-rules.ts'

export type Change = { table: string; command: Command; name: string; by: string }
type Policy = { table: string; name: string; command: Command; using: string | null; check: string | null }

/** Wider versions of a condition, each of which separates too little. */
function widerThan(condition: string, isAskedFirst: boolean): [string, string][] {
  const wider: [string, string][] = [['for all', 'true']]
  if (isAskedFirst) wider.push(['for nobody', `(${condition}) or scope_tenant() is null`])
  // Without the half that separates the sub-tenants of a company.
  if (condition.includes('scope_sub_tenant()')) wider.push(['for all parts', 'tenant_id = scope_tenant()'])
  // Participants who can change no row never reach the check of a change.
  if (condition.includes('scope_is_participant()') && (isAskedFirst || !/not scope_is_p/i.test(condition)))
    wider.push([
      'for all participants',
      `(${condition}) or (tenant_id = scope_tenant() and scope_is_participant())`,
    ])
  return wider
}

export async function changesToPolicies(admin: pg.Client): Promise<Change[]> {
  const { rows } =
    await admin.query<Policy>(`select tablename as table, policyname as name, cmd as command, qual as using,
    with_check as check from pg_policies where schemaname = 'public' and policyname like 'scope\\_%' order by 1, 2`)
  return rows.flatMap(({ table, name, command, using, check }) => {
    const of = (how: string, by: string): Change => ({
      table,
      command,
      name: `${name} on ${table} ${how}`,
      by,
    })
    // Without a tenant there is no row to change, so the check of a change is never reached.
    const widened = (condition: string | null, verb: string, clause: string) =>
      (condition ? widerThan(condition, verb === 'shows' || command === 'INSERT') : []).map(([how, wider]) =>
        of(`${verb} ${how}`, `alter policy ${name} on ${table} ${clause} (${wider})`),
      )
    return [
      of('dropped', `drop policy ${name} on ${table}`),
      ...widened(using, 'shows', 'using'),
      ...widened(check, 'takes', 'with check'),
    ]
  })
}
