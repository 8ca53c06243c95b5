/** A journey for each place and tie, and a person for each tie, whose roles come with each request. */
import { createHash } from 'node:crypto'
import type { Principal } from '#app/auth/principal.ts'
import { type Database, inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import { type Holder, KEY_HOLDERS, nameOf, THINGS, type Thing } from './matrix-holders.ts'
import type { Ids } from './matrix-policy.ts'
import { furnish } from './matrix-things.ts'

type Made = Ids & { canary: string }
const keyOf = (thing: Thing | null) => (thing ? `${thing.place} ${thing.tie ?? 'nobody'}` : 'untied')
export const canaryOf = (thing: Thing): string =>
  `held-${keyOf(thing).replaceAll(' ', '-').toLowerCase()}-7d1c`

export async function createHolders(world: TenantsWorld, database: Database) {
  const { acme, north, south, people } = world
  const parts = { A: north, B: south }
  const made = new Map<string, Made>()
  const persons = new Map<string, number>([[keyOf(null), people.uri.user_id]])
  for (const thing of THINGS) {
    const sub = thing.place === 'whole' ? null : parts[thing.place]
    const canary = canaryOf(thing)
    const author = people.adam.user_id
    const place = { who: 'adam', tenant: acme, sub, author, canary } as const
    const ids = { ...(await furnish(world, database, place)), api_key: 'none' }
    made.set(keyOf(thing), { ...ids, canary })
    if (thing.tie)
      persons.set(keyOf(thing), await inScope(database, systemActor(acme), (scope) => tie(scope, thing, ids)))
  }

  const idsOf = (thing: Thing): Ids => made.get(keyOf(thing)) as Made
  const secrets = new Map<string, string>()
  for (const holder of KEY_HOLDERS) secrets.set(nameOf(holder), await makeKey(holder))

  /** Inserted directly, since these people cannot sign in. Together they are fewer than the limit of a company. */
  async function makeKey(holder: Holder): Promise<string> {
    const { user_id, roles } = principalOf(holder)
    const secret = `lw_${createHash('sha256').update(nameOf(holder)).digest('hex')}`
    for (const { role, sub_tenant_id } of roles)
      await inScope(database, systemActor(acme), ({ db }) =>
        db
          .insertInto('api_keys')
          .values({
            ...{ tenant_id: acme, user_id, sub_tenant_id, name: nameOf(holder), is_read_only: false },
            role: role === 'admin' ? 'admin' : 'author',
            ...{
              secret_hash: createHash('sha256').update(secret).digest(),
              secret_start: secret.slice(0, 8),
            },
            expires_on: new Date(Date.now() + 86_400_000),
          })
          .execute(),
      )
    return secret
  }

  function principalOf(holder: Holder): Principal {
    const user_id = persons.get(keyOf(holder.tied))
    if (user_id === undefined) throw new Error(`There is nobody for ${nameOf(holder)}`)
    const roles = holder.roles.map((held) => {
      const [role, place] = held.split(' ') as ['admin' | 'author' | 'user', 'whole' | 'A' | 'B']
      return { role, tenant_id: acme, sub_tenant_id: place === 'whole' ? null : parts[place] }
    })
    return { ...people.uri, user_id, email: `holder-${user_id}@people.example`, roles }
  }
  const secretOf = (holder: Holder) => (holder.asKey ? secrets.get(nameOf(holder)) : undefined)
  return { parts, idsOf, principalOf, secretOf }
}

/** A new person with that tie to the journey; if they take part, it is running and its lift has been sent. */
async function tie({ actor, db }: Scope, { tie }: Thing, ids: Ids): Promise<number> {
  const { tenant_id } = actor
  const [journey_id, lift_id] = [Number(ids.journey), Number(ids.lift)]
  const { id: user_id } = await db
    .insertInto('users')
    .values({
      ...{ tenant_id, email: `tied-${journey_id}@people.example`, first_name: 'Tied' },
      ...{ activation_status: 'active', accepted_terms_on: new Date() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // Stored as an administrator, so that their keys are valid; their own roles come with each request.
  await db.insertInto('user_general_roles').values({ tenant_id, user_id, role: 'admin' }).execute()
  if (tie?.startsWith('author'))
    await db.updateTable('journeys').set({ author_id: user_id }).where('id', '=', journey_id).execute()
  if (tie === 'author') return user_id

  const role = tie === 'author and learner' ? 'learner' : (tie ?? 'learner')
  const { id: member_id } = await db
    .insertInto('members')
    .values({ tenant_id, journey_id, user_id, role, state: 'active' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('journeys')
    .set({ status: 'active', launched_at: new Date() })
    .where('id', '=', journey_id)
    .execute()
  if (role === 'sponsor')
    await db
      .updateTable('members')
      .set({ sponsor_id: member_id })
      .where('journey_id', '=', journey_id)
      .where('user_id', '=', Number(ids.user))
      .execute()
  if (role !== 'learner') return user_id
  const content = { title: 'Come', sms_text: '', email_subject: '', blocks: [], prompts: [], est_minutes: 3 }
  const more = { completion_rule: 'all_required_prompts', required: true }
  await db
    .insertInto('lift_versions')
    .values({ tenant_id, lift_id, version: 1, content: JSON.stringify({ ...content, ...more }) })
    .execute()
  const due_at = new Date(Date.now() - 60_000)
  await db
    .insertInto('occurrences')
    .values({
      tenant_id,
      journey_id,
      lift_id,
      member_id,
      zone: 'UTC',
      due_at,
      state: 'sent',
      content_version: 1,
    })
    .execute()
  return user_id
}
