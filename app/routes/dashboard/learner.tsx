import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listOwedForms } from '#app/api/contract/assessments.ts'
import { listLearnerJourneys } from '#app/api/contract/learner.ts'
import { listOwnCommitments } from '#app/api/contract/sponsors.ts'
import type { LearnerJourney } from '#app/domain/participants/learning.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { zoneHere } from '#app/domain/users/clock.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Link } from '#app/ui/link.tsx'
import { type Column, DataTable } from '#app/ui/list/table.tsx'
import { OwedList } from '#app/ui/owed-list.tsx'
import { Page } from '#app/ui/page.tsx'
import { TodoList } from '#app/ui/todo-list.tsx'
import { Coming, comingFirst, endOf } from './coming.tsx'
import { CommitmentList } from './commitment-list.tsx'

export const meta: MetaFunction = () => [{ title: 'Your journeys · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { api } = visitor
  const [journeys, commitments, owed, user] = await Promise.all([
    api(listLearnerJourneys),
    api(listOwnCommitments),
    api(listOwedForms),
    readCurrentUser(args, visitor),
  ])
  return {
    journeys: journeys.data,
    todo: journeys.todo,
    late: commitments.data.filter(({ is_late }) => is_late),
    owed: owed.data,
    zone: zoneHere(user),
  }
}

const COLUMNS: readonly Column<LearnerJourney>[] = [
  {
    key: 'name',
    label: 'Journey',
    render: ({ id, name }) => (
      <Link to={`/lljs/${id}/learner`}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  { key: 'category', label: 'Category' },
  {
    key: 'completed',
    label: 'Progress',
    render: ({ name, completed, total }) => (
      <>
        <progress value={completed} max={Math.max(total, 1)} aria-label={`Progress in ${isolated(name)}`} />{' '}
        {completed} of {total}
      </>
    ),
  },
]

const ENDED: Column<LearnerJourney> = { key: 'ended', label: 'How it ended', render: endOf }

export default function LearnerHome() {
  const { journeys, todo, late, owed, zone } = useLoaderData<typeof loader>()
  const finished = journeys.filter(({ is_finished }) => is_finished)
  const running = comingFirst(journeys.filter(({ is_finished }) => !is_finished))
  const coming: Column<LearnerJourney> = {
    key: 'coming',
    label: 'Comes next',
    render: (journey) => <Coming journey={journey} zone={zone} />,
  }
  return (
    <Page title="Your journeys" lead="Your open lifts, what comes next, and how far you are.">
      {todo.length + owed.length > 0 ? (
        <section className="section" aria-labelledby="waiting">
          <h2 id="waiting">Waiting for you</h2>
          {owed.length > 0 ? <OwedList items={owed} zone={zone} /> : null}
          {todo.length > 0 ? <TodoList items={todo} zone={zone} /> : null}
        </section>
      ) : null}
      {late.length > 0 ? <CommitmentList commitments={late} action="/todo" /> : null}
      {running.length > 0 ? (
        <section className="section" aria-labelledby="running">
          <h2 id="running">Running journeys</h2>
          <p className="quiet">Times are those of {zone.replaceAll('_', ' ')}.</p>
          <DataTable caption="Running journeys" columns={[...COLUMNS, coming]} rows={running} rowKey="id" />
        </section>
      ) : null}
      {finished.length > 0 ? (
        <section className="section" aria-labelledby="past">
          <h2 id="past">Past journeys</h2>
          <DataTable caption="Past journeys" columns={[...COLUMNS, ENDED]} rows={finished} rowKey="id" />
        </section>
      ) : null}
      {journeys.length > 0 ? null : (
        <Empty
          title="No journeys yet"
          hint="When somebody adds you to a learning journey, it appears here."
        />
      )}
    </Page>
  )
}
