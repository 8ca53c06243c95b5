import {
  type ActionFunctionArgs,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { Outlet, useLoaderData } from '@remix-run/react'
import { isolated } from '#app/domain/text/isolated.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Link } from '#app/ui/link.tsx'
import { OwedList } from '#app/ui/owed-list.tsx'
import { Page } from '#app/ui/page.tsx'
import { JourneyTabs } from '../journeys/journey-page.tsx'
import journeysStylesheet from '../journeys/journeys.css?url'
import { movedAddress } from './address.ts'
import stylesheet from './assessments.css?url'
import { LearnersTable } from './learners-table.tsx'
import { Overview } from './overview.tsx'
import { readAssessments } from './read.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: data?.table
      ? `Assessments: ${isolated(data.table.journey.name)} · Liftwell`
      : 'Assessments · Liftwell',
  },
]
export const links: LinksFunction = () =>
  [journeysStylesheet, stylesheet].map((href) => ({ rel: 'stylesheet', href }))

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const moved = movedAddress(args.params, args.request)
  if (moved) throw redirect(moved)
  return readAssessments(args, visitor)
}

/** Forwards a form that was rendered at an old URL, with its input. */
export async function action(args: ActionFunctionArgs) {
  await requireDashboard(args)
  const moved = movedAddress(args.params, args.request)
  if (!moved) throw new Response('Method Not Allowed', { status: 405 })
  return redirect(moved, 307)
}

export default function ListAssessments() {
  const { table, owed, zone } = useLoaderData<typeof loader>()
  return table ? <AuthorsPage /> : <RatersPage owed={owed} zone={zone} />
}

function AuthorsPage() {
  const { table, owed, zone, search } = useLoaderData<typeof loader>()
  if (!table) return null
  const { journey, assessments } = table
  const mayEdit = journey.may_edit && journey.status !== 'archived'
  const add = mayEdit ? (
    <ButtonLink to={`/lljs/${journey.id}/assessments/new`}>Add assessment</ButtonLink>
  ) : null
  return (
    <Page
      title="Assessments"
      lead={
        <>
          Before and after{' '}
          <Link to={`/lljs/${journey.id}/schedule`}>
            <bdi>{journey.name}</bdi>
          </Link>
          : each learner’s own view and that of others.
        </>
      }
      action={add}
    >
      <JourneyTabs journey={journey} />
      {owed.length > 0 ? <Owed owed={owed} zone={zone} /> : null}
      <section className="section" aria-labelledby="assessments">
        <h2 id="assessments">Overview</h2>
        {assessments.length > 0 ? (
          <Overview assessments={assessments} mayEdit={mayEdit} />
        ) : (
          <Empty
            title="No assessments yet"
            hint="Ask the same questions before and after the journey to see what changed."
            action={add}
          />
        )}
      </section>
      <section className="section" aria-labelledby="learners">
        <h2 id="learners">Learners</h2>
        <LearnersTable table={table} q={search.q} mayEdit={mayEdit} />
      </section>
      <Outlet />
    </Page>
  )
}

type Rater = Pick<Awaited<ReturnType<typeof readAssessments>>, 'owed' | 'zone'>

/** For learners and sponsors: the forms that they have to fill in. */
function RatersPage({ owed, zone }: Rater) {
  return (
    <Page title="Assessments" lead="Questions about yourself and others." narrow>
      {owed.length > 0 ? (
        <Owed owed={owed} zone={zone} />
      ) : (
        <Empty
          title="Nothing to do right now"
          hint="When you are asked how you see yourself or somebody else, it appears here."
          action={
            <ButtonLink to="/todo" variant="soft">
              To do
            </ButtonLink>
          }
        />
      )}
    </Page>
  )
}

function Owed({ owed, zone }: Rater) {
  return (
    <section className="section" aria-labelledby="owed">
      <h2 id="owed">Waiting for you</h2>
      <OwedList items={owed} zone={zone} />
    </section>
  )
}
