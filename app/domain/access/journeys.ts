/** What an actor may do with journeys: admins manage all in their scope, authors their own, users only learn. */
import type { Actor } from './actor.ts'
import { may, mayEditJourney } from './permissions.ts'

export const mayManageJourneys = (actor: Actor): boolean => may(actor, 'journeys:view')
export const maySeeAllJourneys = (actor: Actor): boolean => may(actor, 'journeys:edit')
export const maySeeJourney = (
  actor: Actor,
  journey: { author_id: number; sub_tenant_id: string | null },
): boolean => mayEditJourney(actor, journey)
