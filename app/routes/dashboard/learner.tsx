import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { listLearnerJourneys } from '#app/api/contract/learner.ts'
import type { LearnerJourneys } from '#app/domain/participants/learning.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Page } from '#app/ui/page.tsx'
import { type Column, DataTable } from '#app/ui/table.tsx'

export const meta: MetaFunction = () => [{ title: 'Your journeys · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  return { journeys: await api(listLearnerJourneys) }
}

type Journey = LearnerJourneys['data'][number]

const COLUMNS: readonly Column<Journey>[] = [
  { key: 'name', label: 'Journey', render: ({ id, name }) => <Link to={`/lljs/${id}/learner`}>{name}</Link> },
  { key: 'category', label: 'Category' },
  {
    key: 'completed',
    label: 'Progress',
    render: ({ name, completed, total }) => (
      <>
        <progress value={completed} max={Math.max(total, 1)} aria-label={`Progress in ${name}`} /> {completed}{' '}
        of {total}
      </>
    ),
  },
  {
    key: 'next_lift',
    label: 'Waiting for you',
    render: ({ next_lift }) =>
      next_lift ? (
        <Link to={`/lift/${next_lift.id}`} prefetch="none">
          {next_lift.title}
        </Link>
      ) : null,
  },
]

export default function LearnerHome() {
  const { journeys } = useLoaderData<typeof loader>()
  return (
    <Page title="Your journeys" lead="What you are learning, and how far you are.">
      {journeys.data.length > 0 ? (
        <DataTable caption="Your journeys" columns={COLUMNS} rows={journeys.data} rowKey="id" />
      ) : (
        <Empty
          title="No journeys yet"
          hint="When somebody adds you to a learning journey, it appears here."
        />
      )}
    </Page>
  )
}
