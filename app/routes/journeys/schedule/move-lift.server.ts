/** Moves a lift by one place, or to the place of another: the page shows only some of the lifts. */

import type { ActionFunctionArgs } from '@remix-run/node'
import type { ApiClient } from '#app/api/client.server.ts'
import { getJourney } from '#app/api/contract/journeys.ts'
import { listLiftNames, orderLifts } from '#app/api/contract/lifts.ts'
import { seenIn } from '#app/routes/seen.server.ts'
import { moveOne, reorder } from '../reorder.server.ts'
import { scheduleOf } from './address.ts'

export async function moveLift(api: ApiClient, { params, request }: ActionFunctionArgs) {
  const journeyId = String(params.journeyId)
  const formData = await request.formData()
  if (!['up', 'down', 'moved'].some((way) => formData.has(way)))
    throw new Response('Bad Request', { status: 400 })
  const [{ data: lifts }, { order_version: stored }] = await Promise.all([
    api(listLiftNames, { id: journeyId }),
    api(getJourney, { id: journeyId }),
  ])
  const ids = lifts.map((lift) => lift.id)
  const lift_ids = formData.has('moved') ? dropped(ids, formData) : stepped(ids, formData)
  const seen = seenIn(formData, 'order_version')
  const task = { api, journeyId, formData, versions: { seen: seen.order_version, stored } }
  return reorder(task, { order: lift_ids }, scheduleOf(journeyId, request), () =>
    api(orderLifts, { id: journeyId }, { lift_ids, ...seen }),
  )
}

function stepped(ids: readonly number[], formData: FormData): number[] {
  const way = formData.has('up') ? 'up' : 'down'
  const place = ids.indexOf(Number(formData.get(way)))
  return place < 0 ? [...ids] : moveOne(ids, place, way)
}

/** The order after a drop: the lift takes the place of another, which makes room. */
function dropped(ids: readonly number[], formData: FormData): number[] {
  const from = ids.indexOf(Number(formData.get('moved')))
  const to = ids.indexOf(Number(formData.get('to')))
  const [id] = from < 0 || to < 0 ? [] : ids.slice(from, from + 1)
  return id === undefined ? [...ids] : ids.filter((one) => one !== id).toSpliced(to, 0, id)
}
