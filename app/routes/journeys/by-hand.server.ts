/** A lift that a person sends: to those who have not had it, or to some phones as a test. */

import { createHash } from 'node:crypto'
import { data } from '@remix-run/node'
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { encodePath } from '#app/api/path.ts'
import { refusalOf, refuse } from '#app/api/refuse.server.ts'
import { TestForm } from '#app/domain/lifts/test-form.ts'
import { StillToSend } from '#app/domain/sending/send-now-recipients.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { reason } from './reason.server.ts'
import type { ScheduleSearch } from './schedule-search.ts'

export type ByHand = { still: StillToSend; whom: string; chosen: number[] }

export async function readByHand(
  api: ApiClient,
  { send, whom, member_ids }: ScheduleSearch,
): Promise<ByHand> {
  const query = { q: whom, member_ids: member_ids.join(',') }
  const still = await api.get(encodePath`/lifts/${send}/send_now`, StillToSend, query)
  return { still, whom, chosen: member_ids }
}

export type SendAnswer = { problem?: string; ticked?: number[] }

const Sent = z.object({ planned: z.number().int() })

const digest = (ids: readonly number[]) => createHash('sha256').update(ids.join()).digest('base64url')

export async function sendByHand(api: ApiClient, liftId: number, formData: FormData, here: string) {
  const toAll = formData.get('intent') === 'send-now'
  const ticked = formData.getAll('member_ids').map(Number).filter(Number.isSafeInteger)
  if (!toAll && ticked.length === 0)
    return data<SendAnswer>({ problem: 'Please tick at least one person.' }, { status: 422 })
  const key = z.uuid().safeParse(formData.get('key')).data
  // Another choice on a page that was gone back to is another thing to do.
  const idempotencyKey = key && (toAll ? key : `${key} ${digest(ticked)}`)
  let planned = 0
  try {
    const member_ids = toAll ? 'pending' : ticked
    ;({ planned } = await api.post(encodePath`/lifts/${liftId}/send_now`, { member_ids }, Sent, {
      idempotencyKey,
    }))
  } catch (error) {
    const { status } = refusalOf(error)
    return data<SendAnswer>({ problem: await reason(error), ticked }, { status })
  }
  if (planned === 0)
    return redirectWithToast(here, {
      title: 'Nothing to send',
      message: 'They have had this lift already.',
      variant: 'info',
    })
  return redirectWithToast(here, {
    title: planned === 1 ? 'Sent to 1 person' : `Sent to ${planned.toLocaleString('en-US')} people`,
    message: 'E-mails leave now. Texts wait for the morning where it is night.',
  })
}

const Queued = z.object({ data: z.array(z.object({ phone: z.string() })) })

/** What was typed stays, to be sent again after a change. */
export async function sendTest(api: ApiClient, liftId: number, formData: FormData) {
  const submission = readForm(formData, TestForm)
  if (submission.status !== 'success') return refuse(submission)
  const { key, phones } = submission.value
  try {
    const sent = await api.post(encodePath`/lifts/${liftId}/send_test`, { phones }, Queued, {
      idempotencyKey: key,
    })
    return data({ ...submission.reply(), sent: sent.data.map(({ phone }) => phone) })
  } catch (error) {
    return refuse(submission, error)
  }
}
