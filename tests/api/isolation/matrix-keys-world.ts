/** The secrets of the keys, each created over the API by an administrator. */
import { type Database, inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import type { Who } from './matrix-people.ts'
import type { Place } from './matrix-things.ts'

export async function makeKeys(world: TenantsWorld, database: Database): Promise<ReadonlyMap<Who, string>> {
  const { acme, people } = world
  const key = async (who: 'adam' | 'nora' | 'greta', name: Who, more: object = {}) =>
    must(world, who, 'POST', '/api_keys', { name, role: 'admin', ...more })
  const whole = await key('adam', 'key_admin')
  const made = {
    key_admin: whole,
    key_inside: whole,
    key_reader: await key('adam', 'key_reader', { is_read_only: true }),
    key_author: await key('adam', 'key_author', { role: 'author' }),
    key_part: await key('nora', 'key_part'),
    key_foreign: await key('greta', 'key_foreign'),
    key_revoked: await key('adam', 'key_revoked'),
    key_orphaned: await key('adam', 'key_orphaned'),
  } satisfies Partial<Record<Who, { id: number; secret: string }>>
  await must(world, 'adam', 'DELETE', `/api_keys/${made.key_revoked.id}`)
  // Its maker is now a person who is not an administrator.
  await inScope(database, systemActor(acme), ({ db }) =>
    db
      .updateTable('api_keys')
      .set({ user_id: people.uri.user_id })
      .where('id', '=', made.key_orphaned.id)
      .execute(),
  )
  return new Map(Object.entries(made).map(([who, { secret }]) => [who as Who, secret]))
}

/** A key that the people of the place manage, with its canary as the name. */
export async function makeKeyOf(world: TenantsWorld, { who, sub, canary }: Place): Promise<string> {
  const body = { name: canary, role: 'author', sub_tenant_id: sub }
  return String((await must(world, who, 'POST', '/api_keys', body)).id)
}

async function must(world: TenantsWorld, ...asked: Parameters<TenantsWorld['call']>) {
  const answer = await world.call(...asked)
  if (answer.status >= 300) throw new Error(`${asked[1]} ${asked[2]}: ${answer.status} ${answer.text}`)
  return answer.json as { id: number; secret: string }
}
