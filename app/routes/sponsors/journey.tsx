import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Page } from '#app/ui/page.tsx'

export const meta: MetaFunction = () => [{ title: 'Your learners · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  await requireDashboard(args)
  return null
}

export default function ShowSponsorsJourney() {
  return (
    <Page title="Your learners" narrow>
      <p>
        This is where a sponsor follows their own learners through a journey: how far they are, and what they
        have committed to.
      </p>
    </Page>
  )
}
