/** The demo's groups: people with similar work, whom an author can add to a journey at once. */
import type { Scope } from '#app/domain/scope/scope.server.ts'
import type { DemoTenant } from './demo-tenant.ts'

export async function seedGroups({ actor, db }: Scope, { groups }: DemoTenant): Promise<void> {
  const { tenant_id } = actor
  for (const { name, job_titles } of groups ?? []) {
    const { id } = await db
      .insertInto('user_groups')
      .values({ tenant_id, name })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('user_group_users')
      .columns(['tenant_id', 'group_id', 'user_id'])
      .expression((from) =>
        from
          .selectFrom('users')
          .select(['tenant_id', from.val(id).as('group_id'), 'id'])
          .where('job_title', 'in', job_titles),
      )
      .execute()
  }
}
