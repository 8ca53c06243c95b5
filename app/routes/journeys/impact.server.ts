/** The question before an edit of a launched journey: its effect on planned messages. */

import type { ApiClient } from '#app/api/client.server.ts'
import { previewChanges } from '#app/api/contract/schedules.ts'
import type { Lift, LiftInput } from '#app/domain/lifts/lift.ts'
import {
  changesSomething,
  type DraftChanges,
  type Impact,
  keyOf,
} from '#app/domain/planning/preview/preview.ts'

/** The version that the form was drawn from, and the one that is stored. */
export type Versions = { seen: number | undefined; stored: number | undefined }

export const isStale = ({ seen, stored }: Versions): boolean => seen !== undefined && seen !== stored

/**
 * Null if there is nothing to ask, or if these very numbers were confirmed. Also null for a stale form: its save is
 * refused with both versions, so confirming it would be useless.
 */
export async function questionBefore(
  api: ApiClient,
  journeyId: string | number,
  changes: DraftChanges,
  formData: FormData,
  versions?: Versions,
): Promise<Impact | null> {
  if (versions && isStale(versions)) return null
  const { impact } = await api(previewChanges, { id: journeyId }, { user_id: null, changes })
  if (!impact || !changesSomething(impact)) return null
  return formData.get('confirmed') === keyOf(impact) ? null : impact
}

/** Only ready lifts are planned. */
function additionOf({
  status,
  title = '',
  schedule,
  closes_after_hours = null,
}: Partial<LiftInput>): DraftChanges {
  return status === 'ready' && schedule ? { added: { title, schedule, closes_after_hours } } : {}
}

const WORDS = [
  'title',
  'sms_text',
  'email_subject',
  'blocks',
  'required',
  'completion_rule',
  'est_minutes',
] as const

/** The changes of a lift's form, in the format of the schedule preview. */
export function changesOfLift(before: Lift | undefined, input: Partial<LiftInput>): DraftChanges {
  if (!before) return additionOf(input)
  const content = WORDS.some(
    (name) => input[name] !== undefined && JSON.stringify(input[name]) !== JSON.stringify(before[name]),
  )
  const { schedule, closes_after_hours, status } = input
  return { lifts: [{ lift_id: before.id, schedule, closes_after_hours, status, content }] }
}
