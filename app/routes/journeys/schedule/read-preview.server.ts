/** The plan of one learner, as saved and with other settings. */

import type { SubmissionResult } from '@conform-to/react'
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { listLiftNames } from '#app/api/contract/lifts.ts'
import { listParticipants } from '#app/api/contract/participants.ts'
import { previewChanges, previewSchedule } from '#app/api/contract/schedules.ts'
import { SearchWords } from '#app/domain/page.ts'
import type { Preview } from '#app/domain/planning/preview/preview.ts'
import { changesOf, WhatIfForm } from '#app/domain/planning/preview/what-if.ts'
import { readSearch } from '#app/routes/read-form.server.ts'
import { reason } from '../reason.server.ts'

const Search = z.object({
  user: z.coerce.number().int().positive().optional().catch(undefined),
  /** A search for the learner, if there are many. */
  who: SearchWords.catch(''),
  as_of: z
    .union([z.literal('').transform(() => undefined), z.iso.date()])
    .optional()
    .catch(undefined),
  what_if: z.stringbool().catch(false),
})

export type Previewed = Awaited<ReturnType<typeof readPreview>>

export async function readPreview(api: ApiClient, journeyId: string, request: Request) {
  const params = new URL(request.url).searchParams
  const { user, who, as_of, what_if } = Search.parse(Object.fromEntries(params))
  const [members, asked] = await Promise.all([
    api(
      listParticipants,
      { id: journeyId },
      {
        ...{ role: 'learner', q: who, per_page: 100, order_by: 'name', order: 'asc' },
      },
    ),
    // The requested learner, whatever page they are on; a search replaces them.
    user && !who
      ? api(
          listParticipants,
          { id: journeyId },
          {
            role: 'learner',
            user_ids: String(user),
          },
        )
      : { data: [] },
  ])
  const ids = new Set(members.data.map((one) => one.user_id))
  const elsewhere = asked.data.filter((one) => !ids.has(one.user_id))
  const learners = [...elsewhere, ...members.data].map(({ user_id, name }) => ({ user_id, name }))
  const isNobody = who !== '' && learners.length === 0
  const person = learners.some((one) => one.user_id === user) ? user : learners[0]?.user_id
  const preview = await api(
    previewSchedule,
    { id: journeyId },
    {
      user_id: person,
      as_of,
    },
  )
  const names = await api(listLiftNames, { id: journeyId })
  const tried = what_if && !isNobody ? await tryOut(api, journeyId, params, { user_id: person, as_of }) : null
  const isLong = members.pagination.total_pages > 1
  const wrongDate = as_of === undefined && Boolean(params.get('as_of'))
  return { preview, tried, learners, isNobody, names: names.data, isLong, person, who, as_of, wrongDate }
}

/** Invalid values become field errors, and nothing is previewed. */
async function tryOut(
  api: ApiClient,
  journeyId: string,
  params: URLSearchParams,
  seen: { user_id: number | undefined; as_of: string | undefined },
): Promise<{ lastResult: SubmissionResult<string[]>; preview: Preview | null }> {
  const submission = readSearch(params, WhatIfForm)
  if (submission.status !== 'success') return { lastResult: submission.reply(), preview: null }
  const changes = changesOf(submission.value)
  try {
    const preview = await api(previewChanges, { id: journeyId }, { ...seen, changes })
    return { lastResult: submission.reply(), preview }
  } catch (error) {
    const formErrors = [await reason(error)]
    return { lastResult: submission.reply({ formErrors }), preview: null }
  }
}
