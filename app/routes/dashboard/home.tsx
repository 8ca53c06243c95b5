import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getCurrentUser } from '#app/api/contract/users.ts'
import { ifOffered } from '#app/api/not-offered.server.ts'
import { navigationOf } from '#app/domain/access/navigation.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Page } from '#app/ui/page.tsx'
import { Learning, Sponsoring, WorkTiles } from './home-parts.tsx'
import { readAuthorModule, readLearnerModule, readSponsorModule } from './modules.server.ts'
import { UnderWay } from './under-way.tsx'

export const meta: MetaFunction = () => [{ title: 'Dashboard · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const user = await visitor.api(getCurrentUser)
  const [learner, author, sponsored] = await Promise.all([
    ifOffered(readLearnerModule(visitor), null),
    ifOffered(readAuthorModule(visitor, user), null),
    user.is_sponsor ? ifOffered(readSponsorModule(visitor), NOBODY_SPONSORED) : NOBODY_SPONSORED,
  ])
  return {
    name: user.first_name,
    zone: user.timezone ?? user.current_tenant.timezone,
    places: navigationOf(user).filter((place) => place !== 'dashboard' && place !== 'sponsoring'),
    learner,
    author,
    sponsored,
  }
}

const NOBODY_SPONSORED = { journeys: [], brief: [], total: 0 }

export default function Home() {
  const { name, zone, places, learner, author, sponsored } = useLoaderData<typeof loader>()
  return (
    <Page title={name ? `Welcome, ${name}` : 'Welcome'} lead="Here is what’s happening today.">
      {learner ? (
        <Learning module={learner} zone={zone} isAll={!author && sponsored.journeys.length === 0} />
      ) : null}
      {sponsored.journeys.length > 0 ? <Sponsoring module={sponsored} /> : null}
      {author ? <UnderWay module={author} /> : null}
      {places.length > 0 ? <WorkTiles places={places} /> : null}
    </Page>
  )
}
