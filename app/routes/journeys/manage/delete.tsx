import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { deleteJourney, getJourney } from '#app/api/contract/journeys.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { whyNotDone } from '#app/routes/why-not-done.server.ts'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { listOf, useListAddress } from './address.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Delete ${isolated(data?.journey.name ?? 'a journey')}? · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  return { journey: await api(getJourney, { id: args.params.journeyId }) }
}

/** The journey may have been launched or deleted since the question was shown. */
export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const list = listOf(args.request)
  try {
    await api(deleteJourney, { id: args.params.journeyId })
  } catch (error) {
    return redirectWithToast(list, await whyNotDone(error, 'deleted'))
  }
  return redirectWithToast(list, { title: 'Draft deleted' })
}

export default function DeleteJourney() {
  const { journey } = useLoaderData<typeof loader>()
  return (
    <ConfirmDialog
      title={`Delete ${isolated(journey.name)}?`}
      message="The draft, its lifts and its participants are deleted for good. Nothing has been sent yet."
      continueText="Yes, delete"
      cancelHref={useListAddress().list}
      variant="error"
    />
  )
}
