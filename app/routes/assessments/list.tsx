import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Page } from '#app/ui/page.tsx'

export const meta: MetaFunction = () => [{ title: 'Assessments · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  await requireDashboard(args)
  return null
}

export default function ListAssessments() {
  return (
    <Page title="Assessments" narrow>
      <p>
        This is where the assessments of a journey stand side by side: each learner’s own view and their
        sponsor’s, before and after.
      </p>
    </Page>
  )
}
