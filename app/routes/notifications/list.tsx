import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Page } from '#app/ui/page.tsx'

export const meta: MetaFunction = () => [{ title: 'Notifications · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  await requireDashboard(args)
  return null
}

export default function ListNotifications() {
  return (
    <Page title="Notifications" narrow>
      <p>
        This is where you read what happened while you were away: launches, answers, and things that need you.
      </p>
    </Page>
  )
}
