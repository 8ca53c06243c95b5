import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Page } from '#app/ui/page.tsx'

export const meta: MetaFunction = () => [{ title: 'Assessment · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  await requireDashboard(args)
  return null
}

export default function ShowAssessment() {
  return (
    <Page title="Assessment" narrow>
      <p>
        This is where one learner’s assessments are read item by item: before and after, their own view and
        their sponsor’s.
      </p>
    </Page>
  )
}
