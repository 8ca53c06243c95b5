import { nameOrEmail } from '#app/domain/text/full-name.ts'
import { mayManageJourneys, maySeeAllJourneys } from '../access/journeys.ts'
import { mayCreateJourney } from '../access/permissions.ts'
import { forbidden } from '../errors.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { JourneyChoices } from './journey.ts'
import { creationRules } from './tenant-settings.server.ts'

const MAX_CHOICES = 500

export async function listJourneyChoices(scope: Scope): Promise<JourneyChoices> {
  const { actor, db } = scope
  if (!mayManageJourneys(actor)) throw forbidden()
  let journeys = db.selectFrom('journeys as j').select(['j.id', 'j.name', 'j.status'])
  let authors = db
    .selectFrom('users as u')
    .where((eb) =>
      eb.exists(eb.selectFrom('journeys as j').whereRef('j.author_id', '=', 'u.id').select('j.id')),
    )
    .select(['u.id', 'u.first_name', 'u.last_name', 'u.email'])
  if (!maySeeAllJourneys(actor)) {
    journeys = journeys.where('j.author_id', '=', actor.user_id)
    authors = authors.where('u.id', '=', actor.user_id)
  }
  const found = await journeys.orderBy('j.name').orderBy('j.id').limit(MAX_CHOICES).execute()
  const people = await authors.orderBy('u.last_name').orderBy('u.id').limit(MAX_CHOICES).execute()
  const rules = await creationRules(scope)
  return {
    data: found as JourneyChoices['data'],
    categories: rules.categories,
    authors: people.map((person) => ({ id: person.id, name: nameOrEmail(person) })),
    may_create: mayCreateJourney(actor, rules),
  }
}

export async function requireMayCreate(scope: Scope): Promise<void> {
  if (!mayCreateJourney(scope.actor, await creationRules(scope))) throw forbidden()
}
