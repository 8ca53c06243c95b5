import type { ActionFunctionArgs } from '@remix-run/node'
import { setOwnMailStops } from '#app/api/contract/people/mail-stops.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const form = await args.request.formData()
  requireIntent(form, ['mails'])
  await api(setOwnMailStops, {
    all: !form.has('mails'),
    journey_ids: form
      .getAll('journey')
      .map(Number)
      .filter((id) => Number.isSafeInteger(id) && id > 0 && !form.has(`journey-${id}`)),
  })
  return redirectWithToast('/settings/privacy', { title: 'Saved' })
}

/** The page of privacy has its form, and is drawn here as well. */
export default function SetMails() {
  return null
}
