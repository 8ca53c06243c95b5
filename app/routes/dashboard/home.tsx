import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getToday } from '#app/api/contract/today.ts'
import { ifOffered } from '#app/api/not-offered.server.ts'
import { mayCreateJourney } from '#app/domain/access/permissions.ts'
import type { Today } from '#app/domain/today/today.ts'
import { zoneHere } from '#app/domain/users/clock.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { tenantNow } from '#app/routes/tenant-clock.server.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Page } from '#app/ui/page.tsx'
import charts from '../analytics/charts.css?url'
import { FirstSteps } from './first-steps.tsx'
import stylesheet from './home.css?url'
import { Learning, Sponsoring } from './home-parts.tsx'
import { learningUrgency, sponsoringUrgency, workUrgency } from './urgency.ts'
import { Working } from './working.tsx'

export const meta: MetaFunction = () => [{ title: 'Dashboard · Liftwell' }]

export const links: LinksFunction = () => [
  { rel: 'stylesheet', href: charts },
  { rel: 'stylesheet', href: stylesheet },
]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const [user, today] = await Promise.all([
    readCurrentUser(args, visitor),
    ifOffered(visitor.api(getToday), null),
  ])
  return {
    name: user.first_name,
    zone: zoneHere(user),
    may_create: mayCreateJourney(visitor.actor, user),
    today,
    now: (await tenantNow(args, visitor)).getTime(),
  }
}

type Parts = { today: Today; zone: string; may_create: boolean; now: number }

export default function Home() {
  const { name, today, ...rest } = useLoaderData<typeof loader>()
  return (
    <Page title={name ? `Welcome, ${name}` : 'Welcome'} lead="Here is what’s happening today.">
      {today ? <Modules today={today} {...rest} /> : <Empty title="Not available here" />}
    </Page>
  )
}

/** Modules by urgency; equally urgent ones in the order learning, sponsoring, work. */
function Modules({ today, zone, may_create, now }: Parts) {
  const { work, first_steps, learning, sponsoring } = today
  const isAll = !work && sponsoring.journeys.length === 0
  const modules = [
    {
      key: 'learning',
      urgency: learningUrgency(learning, now),
      part: <Learning module={learning} zone={zone} isAll={isAll} />,
    },
    {
      key: 'sponsoring',
      urgency: sponsoringUrgency(sponsoring),
      part: sponsoring.journeys.length > 0 ? <Sponsoring module={sponsoring} /> : null,
    },
    {
      key: 'work',
      urgency: work ? workUrgency(work) : 0,
      part: work ? <Working work={work} zone={zone} may_create={may_create} /> : null,
    },
  ]
  return (
    <>
      {first_steps ? <FirstSteps steps={first_steps} /> : null}
      {modules
        .toSorted((one, other) => other.urgency - one.urgency)
        .map(({ key, part }) => part && <div key={key}>{part}</div>)}
    </>
  )
}
