import type { LearnerJourneys } from '#app/domain/participants/learning.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import type { Today } from '#app/domain/today/today.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Link } from '#app/ui/link.tsx'
import { BriefList } from '#app/ui/list/brief-list.tsx'
import { OwedList } from '#app/ui/owed-list.tsx'
import { SponsoredTiles } from '#app/ui/sponsored-tiles.tsx'
import { TodoList } from '#app/ui/todo-list.tsx'
import { Coming, comingFirst, endOf } from './coming.tsx'
import { OpenCommitments } from './open-commitments.tsx'

/** The number of rows shown; the rest is one link away. */
const SHOWN = 5
type LearnerModule = Today['learning']

/** `isAll`: the person has no other module, so an empty one says so. */
export function Learning({ module, zone, isAll }: { module: LearnerModule; zone: string; isAll: boolean }) {
  const [todo, owed] = [module.todo.slice(0, SHOWN), module.owed.slice(0, SHOWN)]
  const commitments = module.commitments.slice(0, SHOWN)
  const journeys = comingFirst(module.journeys).slice(0, SHOWN)
  const waiting = module.todo.length + module.owed.length + module.commitments.length
  return (
    <>
      {isAll || waiting > 0 || journeys.length > 0 ? (
        <section className="section" aria-labelledby="waiting">
          <h2 id="waiting">
            <Link to="/todo">To do</Link>
          </h2>
          {owed.length > 0 ? <OwedList items={owed} zone={zone} /> : null}
          {todo.length > 0 ? <TodoList items={todo} zone={zone} /> : null}
          {commitments.length > 0 ? <OpenCommitments commitments={commitments} /> : null}
          {waiting > 0 ? null : (
            <Empty title="No lift is waiting" hint="You’ll get a message when your next lift is ready." />
          )}
          {waiting > todo.length + owed.length + commitments.length ? (
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

/** A sponsor's learners, and which of them need attention. */
export function Sponsoring({ module }: { module: Today['sponsoring'] }) {
  const [journeys, brief] = [module.journeys.slice(0, SHOWN), module.brief.slice(0, SHOWN)]
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
      {module.total > brief.length ? (
        <ButtonLink to="/sponsors-journey" variant="soft">
          See all {module.total}
        </ButtonLink>
      ) : null}
      <SponsoredTiles journeys={journeys} />
    </section>
  )
}

/** The learner's progress in each journey, as a bar and in words. */
function JourneyProgress({ journeys, zone }: { journeys: LearnerJourneys['data']; zone: string }) {
  return (
    <ul className="tiles">
      {journeys.map((journey) => (
        <li key={journey.id}>
          <Link className="tile" to={`/lljs/${journey.id}/learner`}>
            <span className="tile-title">{isolated(journey.name)}</span>
            <progress
              value={journey.completed}
              max={Math.max(journey.total, 1)}
              aria-label={`Progress in ${isolated(journey.name)}`}
            />
            <span className="tile-hint">
              {journey.completed} of {journey.total} {journey.total === 1 ? 'lift' : 'lifts'} done
            </span>
            <span className="tile-hint">
              {journey.is_finished ? endOf(journey) : <Coming journey={journey} zone={zone} lead="Next: " />}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
