/** A person's imports and exports, and their entries in the audit log. */
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'

export async function readDoings({ db }: Scope, id: number) {
  return {
    uploads: await db
      .selectFrom('files')
      .select(['file_name', 'content_type', 'size', 'created_on'])
      .where('created_by', '=', id)
      .orderBy('created_on')
      .orderBy('id')
      .execute(),
    imports: await db
      .selectFrom('user_imports')
      .select(['file_name', 'dry_run', 'rows_total', 'created_on'])
      .where('created_by', '=', id)
      .orderBy('created_on')
      .orderBy('id')
      .execute(),
    exports: await db
      .selectFrom('exports')
      .select(['kind', 'format', 'query', 'created_on'])
      .where('created_by', '=', id)
      .orderBy('created_on')
      .orderBy('id')
      .execute(),
    audit: await db
      .selectFrom('audit_events')
      .select(['at', 'actor_id', 'action', 'subject_type', 'subject_id'])
      // Changes that they made to other people are included in those people's exports only.
      .select((is) =>
        is
          .case()
          .when(is.and([is('subject_type', '=', 'user'), is('subject_id', '!=', String(id))]))
          .then(sql`'{}'::jsonb`)
          .else(is.ref('changes'))
          .end()
          .as('changes'),
      )
      .where((is) =>
        is.or([
          is('actor_id', '=', id),
          is.and([is('subject_type', '=', 'user'), is('subject_id', '=', String(id))]),
        ]),
      )
      .orderBy('id')
      .execute(),
  }
}
