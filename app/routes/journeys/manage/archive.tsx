import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getJourney } from '#app/api/contract/journeys.ts'
import { archiveJourney } from '#app/api/contract/schedules.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { reason } from '../reason.server.ts'
import { listOf, useListAddress } from './address.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Archive ${isolated(data?.journey.name ?? 'a journey')}? · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  return { journey: await api(getJourney, { id: args.params.journeyId }) }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const list = listOf(args.request)
  try {
    const { name } = await api(archiveJourney, { id: args.params.journeyId })
    return redirectWithToast(list, { title: 'Journey archived', message: name })
  } catch (error) {
    return redirectWithToast(list, { title: 'Not archived', message: await reason(error), variant: 'error' })
  }
}

export default function ArchiveJourney() {
  const { journey } = useLoaderData<typeof loader>()
  return (
    <ConfirmDialog
      title={`Archive ${isolated(journey.name)}?`}
      message="Archived journeys are read-only: nothing more is sent, the lifts close at once, and the figures stay as they are. Learners can still read what they got. You can’t undo this."
      continueText="Yes, archive"
      cancelHref={useListAddress().list}
      variant="warning"
    />
  )
}
