/** One object of each kind in a place, with the place's canary in every text. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import type { Ids } from './matrix-policy.ts'

/** `sub` is null for the whole company. */
export type Place = {
  who: 'adam' | 'greta'
  tenant: string
  sub: string | null
  author: number
  canary: string
}
type Furnished = Omit<Ids, 'api_key'> & { learner: number; sponsor: number }

export async function furnish(
  world: TenantsWorld,
  database: Database,
  { who, tenant, sub, author, canary }: Place,
): Promise<Furnished> {
  const make = async (path: string, body: object) => {
    const answer = await world.call(who, 'POST', path, body, { sub })
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
    return answer.json
  }
  const person = async (name: string) =>
    make('/users', {
      first_name: canary,
      last_name: name,
      job_title: canary,
      email: `${name}.${canary}@people.example`,
      user_general_roles: [{ role: 'user', sub_tenant_id: sub }],
    })
  const user = await person('invited')
  const sponsor = await person('sponsor')
  const learner = await person('learner')
  const journey = await make('/lljs', { name: canary, description: canary })
  const lift = await make(`/lljs/${journey.id}/lifts`, {
    title: canary,
    sms_text: `${canary} {{link}}`,
    status: 'draft',
  })
  const prompt = await make(`/lifts/${lift.id}/prompts`, { kind: 'short_text', text: canary })
  const objective = await make(`/lljs/${journey.id}/learning_objectives`, { code: 'C', text: canary })
  const assessment = await make(`/lljs/${journey.id}/assessments`, {
    ...{ name: canary, phase: 'pre', raters: ['self'] },
    opens: { kind: 'absolute', date: '2020-01-01', time: '09:00' },
    items: [{ text: canary, kind: 'text' }],
  })
  const group = await make('/user_groups', { name: canary })
  await world.call(who, 'PATCH', `/user_groups/${group.id}/users`, { add_user_ids: [user.id] }, { sub })
  const members = await make(`/lljs/${journey.id}/members`, { user_ids: [learner.id, user.id] })
  await make(`/lljs/${journey.id}/members`, { user_ids: [sponsor.id], role: 'sponsor' })
  return inScope(database, systemActor(tenant), async ({ db }) => {
    await db.updateTable('journeys').set({ author_id: author }).where('id', '=', journey.id).execute()
    if (sub)
      await db
        .updateTable('sub_tenants')
        .set({ categories: [canary] })
        .where('id', '=', sub)
        .where(sql<boolean>`categories = '{}'`)
        .execute()
    const { id: imported } = await db
      .insertInto('user_imports')
      .values({
        tenant_id: tenant,
        sub_tenant_id: sub,
        file_name: canary,
        dry_run: true,
        send_welcome: false,
        result: canary,
        ...{ status: 'finished', finished_on: new Date(), created: 1 },
        source: `email,first_name\nmatrix-checked@import.example,${canary}`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    // Created without roles, so its maker can see it in any role.
    const asked_as = { home_tenant_id: tenant, roles: [], is_super_admin: false, is_impersonating: false }
    const { id: exported } = await db
      .insertInto('exports')
      .values({
        ...{ tenant_id: tenant, sub_tenant_id: sub, created_by: author },
        asked_as: JSON.stringify(asked_as),
        ...{ kind: 'by_lift', format: 'csv', status: 'finished', request_hash: Buffer.from(canary) },
        query: JSON.stringify({ as_of: new Date(), journey: journey.id }),
        ...{ size: canary.length, finished_on: new Date() },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const part = { tenant_id: tenant, export_id: exported, nth: 0, bytes: Buffer.from(canary) }
    await db.insertInto('export_parts').values(part).execute()
    const learns = members.data.find((one: { user_id: number }) => one.user_id === user.id).id
    await db
      .insertInto('assessment_forms')
      .values({
        ...{ tenant_id: tenant, journey_id: journey.id, assessment_id: assessment.id },
        ...{ subject_id: learns, rater_id: learns, rater: 'self', state: 'submitted' },
        answers: JSON.stringify({ [assessment.items[0].id]: canary }),
        submitted_at: new Date(),
      })
      .execute()
    const bytes = Buffer.from(canary)
    const file = await db
      .insertInto('files')
      .values({
        tenant_id: tenant,
        sub_tenant_id: sub,
        kind: 'image',
        content_type: 'image/png',
        file_name: canary,
        size: bytes.length,
        sha256: bytes,
        bytes,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return {
      tenant,
      sub_tenant: sub ?? randomUUID(),
      user: String(user.id),
      journey: String(journey.id),
      lift: String(lift.id),
      prompt: String(prompt.id),
      objective: String(objective.id),
      assessment: String(assessment.id),
      user_group: String(group.id),
      member: String(members.data[0].id),
      notification: await notifyOne(database, tenant, learner.id, canary),
      import: imported,
      export: exported,
      file: file.id,
      session: randomUUID(),
      learner: learner.id,
      sponsor: sponsor.id,
    }
  })
}

export const notifyOne = (database: Database, tenant_id: string, user_id: number, canary: string) =>
  inScope(database, systemActor(tenant_id), async ({ db }) => {
    const content = JSON.stringify({ title: canary, message: canary })
    const { id } = await db
      .insertInto('notifications')
      .values({ tenant_id, user_id, notification_type: 'info', content })
      .returning('id')
      .executeTakeFirstOrThrow()
    return String(id)
  })
