import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getTimeline } from '#app/api/contract/journeys.ts'
import { listLiftNames } from '#app/api/contract/lifts.ts'
import { listObjectives } from '#app/api/contract/objectives.ts'
import { dayIn } from '#app/domain/text/date-format.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { tenantNow } from '#app/routes/tenant-clock.server.ts'
import { useRefused } from '#app/ui/form/refused.ts'
import { readJourney } from '../journey.server.ts'
import { JourneyPage } from '../journey-page.tsx'
import { readSender } from './lift.server.ts'
import { LiftFields } from './lift-fields.tsx'
import { saveLift } from './save-lift.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `New lift · ${isolated(data?.journey.name ?? 'Journey')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { api } = visitor
  const { journeyId } = args.params
  const [shown, names, objectives, { next_rule }, now, sender] = await Promise.all([
    readJourney(api, journeyId),
    api(listLiftNames, { id: journeyId }),
    api(listObjectives, { id: journeyId }),
    api(getTimeline, { id: journeyId }),
    tenantNow(args, visitor),
    readSender(args, visitor),
  ])
  const { timezone, status } = shown.journey
  const today = status === 'draft' ? dayIn(timezone, now) : undefined
  return { ...shown, sender, others: names.data, objectives: objectives.data, today, rule: next_rule }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  return saveLift(api, args.params, args.request)
}

export default function AddLift() {
  const { journey, mayEdit, ...shown } = useLoaderData<typeof loader>()
  const { lastResult } = useRefused()
  return (
    <JourneyPage journey={journey} title="New lift">
      {mayEdit || lastResult ? (
        <LiftFields lift={undefined} journey={journey} {...shown} />
      ) : (
        <p>You can read this journey, but not change it.</p>
      )}
    </JourneyPage>
  )
}
