import { sql } from 'kysely'
import { nameOrEmail } from '#app/domain/text/full-name.ts'
import { mayManageJourneys, maySeeAllJourneys } from '../access/journeys.ts'
import { mayCreateJourney } from '../access/permissions.ts'
import { forbidden } from '../errors.ts'
import type { Scope } from '../scope/scope.server.ts'
import { findAuthors } from './authors.server.ts'
import type { JourneyChoices } from './journey.ts'
import { creationRules } from './tenant-settings.server.ts'

const MAX_CHOICES = 500

export async function listJourneyChoices(scope: Scope): Promise<JourneyChoices> {
  const { actor, db } = scope
  if (!mayManageJourneys(actor)) throw forbidden()
  let journeys = db.selectFrom('journeys as j').select(['j.id', 'j.name', 'j.status'])
  if (!maySeeAllJourneys(actor)) journeys = journeys.where('j.author_id', '=', actor.user_id)
  // In the order of an index.
  const found = await journeys.orderBy(sql`lower(j.name)`).orderBy('j.id').limit(MAX_CHOICES).execute()
  const people = await readAuthors(scope)
  const rules = await creationRules(scope)
  return {
    data: found as JourneyChoices['data'],
    categories: rules.categories,
    authors: people.map((person) => ({ id: person.id, name: nameOrEmail(person) })),
    may_create: mayCreateJourney(actor, rules),
  }
}

async function readAuthors(scope: Scope) {
  const { actor, db } = scope
  const authors = db.selectFrom('users as u').select(['u.id', 'u.first_name', 'u.last_name', 'u.email'])
  const hasWritten = sql<boolean>`exists (select from journeys j where j.author_id = u.id)`
  if (!maySeeAllJourneys(actor)) return authors.where('u.id', '=', actor.user_id).where(hasWritten).execute()
  const few = await findAuthors(scope)
  return authors
    .where(few ? sql<boolean>`u.id = any(${few}::bigint[])` : hasWritten)
    .orderBy('u.last_name')
    .orderBy('u.id')
    .limit(MAX_CHOICES)
    .execute()
}

export async function requireMayCreate(scope: Scope): Promise<void> {
  if (!mayCreateJourney(scope.actor, await creationRules(scope))) throw forbidden()
}
