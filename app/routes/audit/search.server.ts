/** Converts the screen's URL into a query of the API: days become moments in the reader's time zone. */

import type { LoaderFunctionArgs } from '@remix-run/node'
import { AuditSearch } from '#app/domain/audit/audit-event.ts'
import { startOfDay } from '#app/domain/audit/days.ts'
import { zoneHere } from '#app/domain/users/clock.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import type { Visitor } from '#app/routes/guards.server.ts'

/** Messages about invalid filters. */
const LEFT_OUT = {
  actor: '“Who” was ignored: it is too long.',
  action: '“What” was ignored: it is too long.',
  subject: '“On what” was ignored: it is too long.',
  from: '“From” was ignored: it is not a date.',
  to: '“Until” was ignored: it is not a date.',
  on_behalf_of: 'The filter by people of the platform was ignored: it names no company.',
}

export async function readAuditSearch(args: LoaderFunctionArgs, visitor: Visitor) {
  const user = await readCurrentUser(args, visitor)
  const zone = zoneHere(user)
  const company = { id: user.current_tenant.id, name: user.current_tenant.name }
  const given = Object.fromEntries(new URL(args.request.url).searchParams)
  if (/^(true|on|yes|1)$/i.test(given.on_behalf_of ?? '')) given.on_behalf_of = company.id
  const search = AuditSearch.parse(given)
  const ignored = Object.entries(LEFT_OUT).flatMap(([name, why]) =>
    given[name]?.trim() && !search[name as keyof AuditSearch] ? [why] : [],
  )
  const { from, to } = search
  const query = { ...search, from: from && startOfDay(from, zone), to: to && startOfDay(to, zone, 1) }
  return { search, query, zone, company, ignored }
}
