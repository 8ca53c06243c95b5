import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Outlet, useLoaderData } from '@remix-run/react'
import { isolated } from '#app/domain/text/isolated.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Page } from '#app/ui/page.tsx'
import journeysStylesheet from '../journeys/journeys.css?url'
import liftStylesheet from '../lift/lift.css?url'
import { saveAnswers } from './answers.server.ts'
import stylesheet from './assessments.css?url'
import { Comparison } from './comparison.tsx'
import { FillForms } from './fill-forms.tsx'
import { readLearner } from './learner.server.ts'
import { Standing } from './standing.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: data?.shown.is_self
      ? 'Your assessments · Liftwell'
      : `${isolated(data?.shown.learner.name ?? 'Assessment')}: assessments · Liftwell`,
  },
]
export const links: LinksFunction = () =>
  [journeysStylesheet, liftStylesheet, stylesheet].map((href) => ({ rel: 'stylesheet', href }))

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  return readLearner(args, visitor)
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  return saveAnswers(api, args.params, args.request)
}

export default function ShowAssessments() {
  const { shown, chosen, zone } = useLoaderData<typeof loader>()
  const { journey, learner, assessments, is_self, may_manage } = shown
  return (
    <Page
      title={is_self ? 'Your assessments' : learner.name}
      lead={`${isolated(journey.name)}: ${is_self ? 'how you see yourself, and how others do.' : 'how they see themselves, and how others do.'}`}
      action={
        may_manage ? (
          <ButtonLink to={`/lljs/${journey.id}/assessments/`} variant="soft">
            All learners
          </ButtonLink>
        ) : null
      }
    >
      <FillForms shown={shown} chosen={chosen} zone={zone} />
      {assessments.length > 0 ? (
        <>
          <Comparison assessments={assessments} isOwn={is_self} />
          <Standing shown={shown} zone={zone} />
        </>
      ) : (
        <Empty
          title="No assessments"
          hint="When something is asked before or after the journey, it appears here."
        />
      )}
      <Outlet />
    </Page>
  )
}
