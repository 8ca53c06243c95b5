import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { navigationOf } from '#app/domain/access/navigation.ts'
import { CurrentUser } from '#app/domain/users/current-user.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Page } from '#app/ui/page.tsx'
import { Learning, Sponsoring, WorkTiles } from './home-parts.tsx'
import { readAuthorModule, readLearnerModule, readSponsorModule } from './modules.server.ts'
import { UnderWay } from './under-way.tsx'

export const meta: MetaFunction = () => [{ title: 'Dashboard · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const user = await visitor.api.get('/users/me', CurrentUser)
  const [learner, author, sponsored] = await Promise.all([
    readLearnerModule(visitor),
    readAuthorModule(visitor, user),
    readSponsorModule(visitor),
  ])
  return {
    name: user.first_name,
    zone: user.timezone ?? user.current_tenant.timezone,
    places: navigationOf(user).filter((place) => place !== 'dashboard'),
    learner,
    author,
    sponsored,
  }
}

export default function Home() {
  const { name, zone, places, learner, author, sponsored } = useLoaderData<typeof loader>()
  return (
    <Page title={name ? `Welcome, ${name}` : 'Welcome'} lead="What is open for you now.">
      {learner ? <Learning module={learner} zone={zone} isAll={!author && sponsored.length === 0} /> : null}
      {sponsored.length > 0 ? <Sponsoring journeys={sponsored} /> : null}
      {author ? <UnderWay module={author} /> : null}
      {places.length > 0 ? <WorkTiles places={places} /> : null}
    </Page>
  )
}
