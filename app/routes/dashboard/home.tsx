import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { navigationOf } from '#app/domain/access/navigation.ts'
import { LearnerJourneys, Todo } from '#app/domain/members/learning.ts'
import { CurrentUser } from '#app/domain/users/current-user.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Page } from '#app/ui/page.tsx'
import { TodoList } from '#app/ui/todo-list.tsx'
import { JourneyProgress, WorkTiles } from './home-parts.tsx'

export const meta: MetaFunction = () => [{ title: 'Dashboard · Liftwell' }]

/** What stands here; the rest is one link away. */
const SHOWN = 5

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const [user, todo, journeys] = await Promise.all([
    api.get('/users/me', CurrentUser),
    api.get('/learner/todo', Todo),
    api.get('/learner/lljs', LearnerJourneys),
  ])
  return {
    name: user.first_name,
    zone: user.timezone ?? user.current_tenant.timezone,
    places: navigationOf(user).filter((place) => place !== 'dashboard'),
    todo: todo.data.slice(0, SHOWN),
    waiting: todo.data.length,
    journeys: journeys.data.slice(0, SHOWN),
  }
}

export default function Home() {
  const { name, zone, places, todo, waiting, journeys } = useLoaderData<typeof loader>()
  const learns = places.length === 0 || waiting > 0 || journeys.length > 0
  return (
    <Page title={name ? `Welcome, ${name}` : 'Welcome'} lead="What is open for you now.">
      {learns ? (
        <section className="section" aria-labelledby="waiting">
          <h2 id="waiting">To do</h2>
          {todo.length > 0 ? (
            <TodoList items={todo} zone={zone} />
          ) : (
            <Empty
              title="Nothing waits for you"
              hint="The next lift reaches you by message when its time comes."
            />
          )}
          {waiting > todo.length ? (
            <ButtonLink to="/todo" variant="soft">
              See all {waiting}
            </ButtonLink>
          ) : null}
        </section>
      ) : null}
      {journeys.length > 0 ? (
        <section className="section" aria-labelledby="journeys">
          <h2 id="journeys">
            <Link to="/learner">Your journeys</Link>
          </h2>
          <JourneyProgress journeys={journeys} />
        </section>
      ) : null}
      {places.length > 0 ? <WorkTiles places={places} /> : null}
    </Page>
  )
}
