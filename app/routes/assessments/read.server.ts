/** What the page of a journey's assessments shows: all of it to authors, what waits to those who are asked. */
import { listAssessments, listOwedForms } from '#app/api/contract/assessments.ts'
import { listObjectives } from '#app/api/contract/objectives.ts'
import { getCurrentUser } from '#app/api/contract/people/users.ts'
import { may } from '#app/domain/access/permissions.ts'
import type { Visitor } from '#app/routes/guards.server.ts'
import { readListSearch } from './search.ts'

export async function readAssessments({ api, actor }: Visitor, journeyId: string, request: Request) {
  // It goes into a query, too, where what is no number would be a wrong filter instead of nothing.
  if (!/^\d+$/.test(journeyId)) throw new Response('Not Found', { status: 404 })
  const search = readListSearch(request)
  const [table, owed, user] = await Promise.all([
    may(actor, 'journeys:view') ? readTable() : null,
    api(listOwedForms, { journey: journeyId }),
    api(getCurrentUser),
  ])
  // Who writes journeys may be asked in one of others.
  if (table instanceof Response && owed.data.length === 0) throw table
  const shown = table instanceof Response ? null : table
  const objectives =
    shown && search.item !== undefined ? (await api(listObjectives, { id: journeyId })).data : []
  const zone = user.timezone ?? user.current_tenant.timezone
  return { table: shown, owed: owed.data, zone, search, objectives }

  async function readTable() {
    const { page, q } = search
    return api(listAssessments, { id: journeyId }, { page, q }).catch((refusal: unknown) => {
      if (refusal instanceof Response && (refusal.status === 403 || refusal.status === 404)) return refusal
      throw refusal
    })
  }
}
