import { sql } from 'kysely'
import { invalid } from '#app/domain/errors.ts'
import { askOnce } from '#app/domain/scope/ask-once.server.ts'
import type { Database, Scope } from '#app/domain/scope/scope.server.ts'
import { unlessTaken } from '#app/domain/unique-violation.server.ts'

export async function listDomains(scope: Scope): Promise<string[]> {
  const rows = await askOnce(scope, ['e-mail domains'], () =>
    scope.db.selectFrom('email_domains').select('domain').orderBy('domain').execute(),
  )
  return rows.map(({ domain }) => domain)
}

export async function keepDomains(scope: Scope, domains: readonly string[]): Promise<void> {
  const { db, actor } = scope
  const before = await listDomains(scope)
  const added = [...new Set(domains)].filter((domain) => !before.includes(domain))
  const gone = before.filter((domain) => !domains.includes(domain))
  if (gone.length > 0) await db.deleteFrom('email_domains').where('domain', 'in', gone).execute()
  for (const domain of added) {
    const row = { tenant_id: actor.tenant_id, domain }
    await unlessTaken(
      { email_domains_domain: ['domains', `${domain} belongs to another company already.`] },
      () => db.insertInto('email_domains').values(row).execute(),
    )
    await requireNoStrangers(scope, domain)
  }
}

/** People of another company with such an address could no longer sign in. */
async function requireNoStrangers({ db }: Scope, domain: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select strangers_of_domain(${domain}::citext) as count`.execute(db)
  const count = Number(rows[0]?.count ?? 0)
  if (count === 0) return
  const words =
    count === 1
      ? `1 person in another company already uses an address at ${domain}.`
      : `${count} people in other companies already use addresses at ${domain}.`
  throw invalid({ domains: [words] })
}

export async function tenantOfDomain(database: Database, email: string): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select tenant_of_domain(${email}::citext) as id`.execute(
    database,
  )
  return rows[0]?.id ?? null
}
