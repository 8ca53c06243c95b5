import type { ActionFunctionArgs } from '@remix-run/node'
import { getOwnMailStops, setOwnMailStops } from '#app/api/contract/people/mail-stops.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const form = await args.request.formData()
  requireIntent(form, ['mails'])
  // An unsubscription by link, made since the form was rendered, must stay.
  const now = await api(getOwnMailStops)
  const isSaid = form.has('mails') !== (form.get('before') === 'yes')
  await api(setOwnMailStops, {
    all: isSaid ? !form.has('mails') : now.all,
    journey_ids: now.journeys.flatMap(({ id }) => (form.has(`journey-${id}`) ? [] : [id])),
  })
  return redirectWithToast('/settings/privacy', { title: 'Saved' })
}

/** The form is on the privacy page, which is rendered here as well. */
export default function SetMails() {
  return null
}
