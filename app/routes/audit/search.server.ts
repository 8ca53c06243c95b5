/** From the address of the screen to the query of the API: days become moments where the reader is. */
import { AuditSearch } from '#app/domain/audit/audit-event.ts'
import { startOfDay } from '#app/domain/audit/days.ts'
import { CurrentUser } from '#app/domain/users/current-user.ts'
import type { Visitor } from '#app/routes/guards.server.ts'

export async function readAuditSearch({ api }: Visitor, address: string) {
  const user = await api.get('/users/me', CurrentUser)
  const zone = user.timezone ?? user.current_tenant.timezone
  const search = AuditSearch.parse(Object.fromEntries(new URL(address).searchParams))
  const { from, to } = search
  const query = { ...search, from: from && startOfDay(from, zone), to: to && startOfDay(to, zone, 1) }
  return { search, query, zone, company: { id: user.current_tenant.id, name: user.current_tenant.name } }
}
