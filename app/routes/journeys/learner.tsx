import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Page } from '#app/ui/page.tsx'

export const meta: MetaFunction = () => [{ title: 'Your journey · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  await requireDashboard(args)
  return null
}

export default function ShowLearnerJourney() {
  return (
    <Page title="Your journey" narrow>
      <p>
        This is where a learner sees the whole journey: the lifts that have come, and those still to come.
      </p>
    </Page>
  )
}
