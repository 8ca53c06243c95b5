/** Actions on all selected people of the list. */

import type { ApiClient } from '#app/api/client.server.ts'
import { getUser, inviteUsers, setActivation } from '#app/api/contract/people/users.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { sayWhy } from '#app/routes/say-why.server.ts'
import { BULK_ACTIONS, type BulkAction, people, readSelected } from './bulk.ts'

/** One by one: a refusal for one person does not stop the others. `back`: the URL of the list. */
export async function actOnMany(api: ApiClient, formData: FormData, back: string) {
  const ids = readSelected(formData.getAll('user_ids'))
  const intent = requireIntent(formData, Object.keys(BULK_ACTIONS) as BulkAction[])
  if (ids.length === 0) return sayNobody(back)

  const { done, problems } = await (intent === 'resend_welcome'
    ? resend(api, ids)
    : setEach(api, ids, intent === 'activate' ? 'active' : 'disabled'))
  const title = `${done} of ${people(ids.length)} ${BULK_ACTIONS[intent].done}`
  const message = [...new Set(problems)].join(' ')
  return redirectWithToast(back, {
    title,
    variant: done === ids.length ? 'success' : 'warning',
    ...(message ? { message } : {}),
  })
}

export const sayNobody = (back: string) =>
  redirectWithToast(back, {
    title: 'Please select at least one person',
    message: 'Select the box beside their name, then press the button again.',
    variant: 'info',
  })

async function resend(api: ApiClient, user_ids: number[]) {
  const { data } = await api(inviteUsers, { user_ids })
  const done = data.filter(({ result }) => result === 'sent').length
  const isSoon = data.some(({ result }) => result === 'too_soon')
  const isOther = data.some(({ result }) => result !== 'too_soon' && result !== 'sent')
  const problems = [
    ...(isSoon ? ['Some were invited just now; please wait a minute.'] : []),
    ...(isOther ? ['You can only invite people again who have not signed in yet.'] : []),
  ]
  return { done, problems }
}

async function setEach(api: ApiClient, ids: number[], activation_status: 'active' | 'disabled') {
  const problems: string[] = []
  let done = 0
  for (const id of ids) {
    try {
      const { activation_status: before, name } = await api(getUser, { id })
      if ((before === 'disabled') === (activation_status === 'disabled')) {
        problems.push(`${name} was ${activation_status === 'disabled' ? 'deactivated' : 'active'} before.`)
        continue
      }
      await api(setActivation, { id }, { activation_status })
      done++
    } catch (error) {
      problems.push(await sayWhy(error))
    }
  }
  return { done, problems }
}
