/** What an actor may do with journeys: admins with all in their scope, authors with their own, users learn. */
import { type Actor, hasRole } from '../access/actor.ts'

type Owned = { author_id: number }

const isAuthorOf = (actor: Actor, journey: Owned): boolean =>
  hasRole(actor, 'author') && actor.user_id !== null && journey.author_id === actor.user_id

/** Whether the journeys' area is open at all. */
export const mayManageJourneys = (actor: Actor): boolean => hasRole(actor, 'admin', 'author')
export const maySeeAllJourneys = (actor: Actor): boolean => hasRole(actor, 'admin')
export const maySeeJourney = (actor: Actor, journey: Owned): boolean =>
  maySeeAllJourneys(actor) || isAuthorOf(actor, journey)
export const mayEditJourney = maySeeJourney

/** Authors create drafts only where their company says so. */
export const mayCreateJourney = (actor: Actor, authorsMayCreate: boolean): boolean =>
  hasRole(actor, 'admin') || (authorsMayCreate && hasRole(actor, 'author'))
