import type { Scope } from '../scope/scope.server.ts'

export async function readAccount({ db }: Scope, id: number) {
  return {
    roles: await db
      .selectFrom('user_general_roles')
      .select(['role', 'sub_tenant_id', 'created_on'])
      .where('user_id', '=', id)
      .execute(),
    groups: await db
      .selectFrom('user_groups as g')
      .innerJoin('user_group_users as p', 'p.group_id', 'g.id')
      .select(['g.name', 'g.created_on'])
      .where('p.user_id', '=', id)
      .execute(),
    sign_in: await db
      .selectFrom('user_identities')
      .select(['issuer', 'subject', 'created_on'])
      .where('user_id', '=', id)
      .execute(),
    sessions: await db
      .selectFrom('sessions')
      .select(['user_agent', 'created_on', 'last_seen_on', 'expires_at'])
      .where('user_id', '=', id)
      .execute(),
    sign_in_links: await db
      .selectFrom('sign_in_links')
      .select(['created_on', 'expires_on', 'used_on'])
      .where('user_id', '=', id)
      .orderBy('created_on')
      .execute(),
    api_keys: await db
      .selectFrom('api_keys')
      .select(['name', 'role', 'created_on', 'last_used_on', 'expires_on', 'revoked_on'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
    contact_changes: await db
      .selectFrom('contact_changes')
      .select(['kind', 'value', 'created_on', 'expires_at'])
      .where('user_id', '=', id)
      .execute(),
  }
}
