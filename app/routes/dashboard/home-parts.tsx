import { Link } from '@remix-run/react'
import type { Place } from '#app/domain/access/navigation.ts'
import type { LearnerJourneys } from '#app/domain/participants/learning.ts'
import { BriefList } from '#app/ui/brief-list.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Icon, type IconName } from '#app/ui/icons.tsx'
import { OwedList } from '#app/ui/owed-list.tsx'
import { SponsoredTiles } from '#app/ui/sponsored-tiles.tsx'
import { TodoList } from '#app/ui/todo-list.tsx'
import { Coming } from './coming.tsx'
import type { readLearnerModule, readSponsorModule } from './modules.server.ts'

type LearnerModule = NonNullable<Awaited<ReturnType<typeof readLearnerModule>>>

/** `isAll`: the person has no other module, so this one says so when it is empty. */
export function Learning({ module, zone, isAll }: { module: LearnerModule; zone: string; isAll: boolean }) {
  const { todo, owed, waiting, journeys } = module
  return (
    <>
      {isAll || waiting > 0 || journeys.length > 0 ? (
        <section className="section" aria-labelledby="waiting">
          <h2 id="waiting">To do</h2>
          {owed.length > 0 ? <OwedList items={owed} zone={zone} /> : null}
          {todo.length > 0 ? <TodoList items={todo} zone={zone} /> : null}
          {waiting > 0 ? null : (
            <Empty
              title="Nothing to do right now"
              hint="The next lift reaches you by message when its time comes."
            />
          )}
          {waiting > todo.length + owed.length ? (
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
          <JourneyProgress journeys={journeys} zone={zone} />
        </section>
      ) : null}
    </>
  )
}

type SponsorModule = Awaited<ReturnType<typeof readSponsorModule>>

/** Whom one looks after as a sponsor, and who of them needs a word. */
export function Sponsoring({ module: { journeys, brief, total } }: { module: SponsorModule }) {
  return (
    <section className="section" aria-labelledby="sponsoring">
      <h2 id="sponsoring">
        <Link to="/sponsors-journey">Your learners</Link>
      </h2>
      {brief.length > 0 ? (
        <>
          <h3>Who needs attention</h3>
          <BriefList items={brief} />
        </>
      ) : null}
      {total > brief.length ? (
        <ButtonLink to="/sponsors-journey" variant="soft">
          See all {total}
        </ButtonLink>
      ) : null}
      <SponsoredTiles journeys={journeys} />
    </section>
  )
}

/** How far one is in each journey, as a bar and in words. */
function JourneyProgress({ journeys, zone }: { journeys: LearnerJourneys['data']; zone: string }) {
  return (
    <ul className="tiles">
      {journeys.map((journey) => (
        <li key={journey.id}>
          <Link className="tile" to={`/lljs/${journey.id}/learner`} prefetch="intent">
            <span className="tile-title">{journey.name}</span>
            <progress
              value={journey.completed}
              max={Math.max(journey.total, 1)}
              aria-label={`Progress in ${journey.name}`}
            />
            <span className="tile-hint">
              {journey.completed} of {journey.total} lifts done
            </span>
            <span className="tile-hint">
              {journey.is_finished ? 'Finished' : <Coming journey={journey} zone={zone} lead="Next: " />}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

type Tile = { to: string; icon: IconName; title: string; hint: string }

const TILES: Partial<Record<Place, Tile>> = {
  journeys: {
    to: '/lljs/manage',
    icon: 'journeys',
    title: 'Manage LLJs',
    hint: 'Build learning journeys (LLJs), schedule their lifts, launch them.',
  },
  users: {
    to: '/users',
    icon: 'users',
    title: 'User Management',
    hint: 'The people of your company, and what they can do.',
  },
  analytics: {
    to: '/analytics',
    icon: 'analytics',
    title: 'Analytics',
    hint: 'See who answered, and what changed.',
  },
  settings: {
    to: '/settings/company',
    icon: 'settings',
    title: 'Settings',
    hint: 'Name, logo, categories and time zone.',
  },
  testing: {
    to: '/testing',
    icon: 'testing',
    title: 'Testing',
    hint: 'Every e-mail and text that was sent, on simulated phones.',
  },
}

export function WorkTiles({ places }: { places: readonly Place[] }) {
  const tiles = places.flatMap((place) => TILES[place] ?? [])
  return (
    <section className="section" aria-labelledby="work">
      <h2 id="work">Your work</h2>
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
