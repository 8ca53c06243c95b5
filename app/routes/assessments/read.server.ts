/** The data of the page of assessments: everything for authors, open forms for raters. */

import type { LoaderFunctionArgs } from '@remix-run/node'
import { z } from 'zod'
import { listAssessments, listOwedForms } from '#app/api/contract/assessments.ts'
import { may } from '#app/domain/access/permissions.ts'
import { AssessmentsQuery } from '#app/domain/assessments/form.ts'
import { shownPage } from '#app/domain/page.ts'
import { zoneHere } from '#app/domain/users/clock.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import type { Visitor } from '#app/routes/guards.server.ts'
import { searchOf } from '../search-of.ts'

const ListSearch = z.object({
  page: shownPage,
  q: AssessmentsQuery.shape.q.catch(''),
})

export async function readAssessments(args: LoaderFunctionArgs, visitor: Visitor) {
  const { api, actor } = visitor
  const journeyId = String(args.params.journeyId)
  // Also used in a query, where an invalid number would be a wrong filter instead of a 404.
  if (!/^\d+$/.test(journeyId)) throw new Response('Not Found', { status: 404 })
  const search = ListSearch.parse(searchOf(args.request))
  const [table, owed, user] = await Promise.all([
    may(actor, 'journeys:view') ? readTable() : null,
    api(listOwedForms, { journey: journeyId }),
    readCurrentUser(args, visitor),
  ])
  // An author of other journeys may be a rater in this one.
  if (table instanceof Response && owed.data.length === 0) throw table
  const shown = table instanceof Response ? null : table
  const zone = zoneHere(user)
  return { table: shown, owed: owed.data, zone, search }

  async function readTable() {
    const { page, q } = search
    return api(listAssessments, { id: journeyId }, { page, q }).catch((refusal: unknown) => {
      if (refusal instanceof Response && (refusal.status === 403 || refusal.status === 404)) return refusal
      throw refusal
    })
  }
}
