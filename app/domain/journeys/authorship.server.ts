import { sql } from 'kysely'
import { may } from '../access/permissions.ts'
import { recordChange } from '../audit/audit.server.ts'
import { forbidden, invalid } from '../errors.ts'
import { wasDone } from '../optimistic-lock.ts'
import { nowIn } from '../scope/clock.server.ts'
import { type Scope, tenantWide } from '../scope/scope.server.ts'
import type { AuthorChange, Journey } from './journey.ts'
import { getJourney, requireEditable } from './journeys.server.ts'

export async function changeAuthor(scope: Scope, id: number, change: AuthorChange): Promise<Journey> {
  if (!may(scope.actor, 'journeys:edit_author')) throw forbidden()
  const { author_id: authorId, ...seen } = change
  const journey = await requireEditable(scope, id)
  if (wasDone(journey, seen, journey.author_id === authorId)) return journey
  const author = await scope.db
    .selectFrom('users as u')
    .innerJoin('user_general_roles as r', 'r.user_id', 'u.id')
    .select('u.id')
    .where('u.id', '=', authorId)
    .where('u.activation_status', '!=', 'disabled')
    .where('r.role', 'in', ['admin', 'author'])
    .where((is) =>
      is.or([is('r.sub_tenant_id', 'is', null), is('r.sub_tenant_id', '=', journey.sub_tenant_id)]),
    )
    // Keeps the new author from being deleted or erased before the journey is theirs.
    .forKeyShare('u')
    .executeTakeFirst()
  if (!author)
    throw invalid({ author_id: ['Please choose an author or an administrator who can open this journey.'] })
  await scope.db
    .updateTable('journeys')
    .set({ author_id: authorId, updated_on: nowIn(scope), lock_version: journey.lock_version + 1 })
    .where('id', '=', id)
    .execute()
  await dropExports(scope, journey)
  const changed = { before: journey, after: { author_id: authorId } }
  await recordChange(scope, 'journey.author_changed', { type: 'journey', id }, changed)
  return getJourney(scope, id)
}

/**
 * Deletes exports that the former author made of this journey by authorship alone, or of all their journeys together.
 */
const dropExports = (scope: Scope, { id, author_id }: Journey) =>
  tenantWide(scope, ({ db }) =>
    db
      .deleteFrom('exports')
      .where('created_by', '=', author_id)
      .where(sql<boolean>`not asked_as -> 'roles' ? 'admin'`)
      .where(sql<boolean>`coalesce((query ->> 'journey')::bigint, ${id}) = ${id}`)
      .execute(),
  )
