import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { navigationOf, type Place } from '#app/domain/access/navigation.ts'
import { CurrentUser } from '#app/domain/users/current-user.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Icon, type IconName } from '#app/ui/icons.tsx'
import { Page } from '#app/ui/page.tsx'

export const meta: MetaFunction = () => [{ title: 'Dashboard · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const user = await api.get('/users/me', CurrentUser)
  return { name: user.first_name, places: navigationOf(user) }
}

type Tile = { to: string; icon: IconName; title: string; hint: string }

const LEARNER_TILES: Tile[] = [
  { to: '/todo', icon: 'success', title: 'To do', hint: 'The lifts that wait for your answer.' },
  {
    to: '/learner',
    icon: 'journeys',
    title: 'Your journeys',
    hint: 'How far you are, and what you have learned.',
  },
]
const PLACE_TILES: Partial<Record<Place, Tile>> = {
  journeys: {
    to: '/lljs/manage',
    icon: 'journeys',
    title: 'LLJs',
    hint: 'Build journeys, schedule lifts, launch them.',
  },
  users: { to: '/users', icon: 'users', title: 'People', hint: 'Who works and learns in your company.' },
  analytics: {
    to: '/analytics',
    icon: 'analytics',
    title: 'Analytics',
    hint: 'Who answered, when, and what changed.',
  },
  settings: {
    to: '/settings/company',
    icon: 'settings',
    title: 'Settings',
    hint: 'Name, logo, categories and time zone.',
  },
}

export default function Home() {
  const { name, places } = useLoaderData<typeof loader>()
  const work = places.flatMap((place) => PLACE_TILES[place] ?? [])
  return (
    <Page title={name ? `Welcome, ${name}` : 'Welcome'} lead="What is open for you now.">
      <Tiles title="Your learning" tiles={LEARNER_TILES} />
      {work.length > 0 ? <Tiles title="Your work" tiles={work} /> : null}
    </Page>
  )
}

function Tiles({ title, tiles }: { title: string; tiles: readonly Tile[] }) {
  return (
    <section className="tiles-section">
      <h2>{title}</h2>
      <ul className="tiles">
        {tiles.map((tile) => (
          <li key={tile.to}>
            <Link className="tile" to={tile.to} prefetch="intent">
              <span className="tile-title">
                <Icon name={tile.icon} />
                {tile.title}
              </span>
              <span className="tile-hint">{tile.hint}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
