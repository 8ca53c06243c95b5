/** Journeys with assessments, and enough people to ask about each other. */
import type { Principal } from '#app/auth/principal.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { createJourneysWorld } from '#tests/api/journeys/journeys-world.ts'
import { BY_DAY } from '#tests/support/by-day.ts'

export const LONG_AGO = { kind: 'absolute', date: '2020-01-01', time: '09:00' }
export const SOMEDAY = { kind: 'absolute', date: '2030-07-01', time: '12:00' }
export const STEPS = ['never', '', 'sometimes', '', 'always']
export const ITEMS = [
  { text: 'I listen before I talk.', kind: 'scale', anchors: STEPS },
  {
    text: 'How often do you ask?',
    kind: 'choice',
    options: [
      { id: 'a', text: 'Seldom', points: 0 },
      { id: 'b', text: 'Daily', points: 10 },
    ],
  },
  { text: 'What would help?', kind: 'text' },
]

export type AssessmentsWorld = Awaited<ReturnType<typeof createAssessmentsWorld>>

export async function createAssessmentsWorld() {
  const world = await createJourneysWorld()
  const workers = await world.workers()
  const inAcme = <Result>(work: (db: Scope['db']) => Promise<Result>) =>
    inScope(world.database.app, systemActor(world.acme), ({ db }) => work(db))

  /** A person of Acme who is in none of the fixed lists. */
  async function person(name: string, more: object = {}): Promise<Principal> {
    const { uri } = world.people
    const email = `${name.toLowerCase()}@${world.acme.slice(0, 8)}.example`
    const id = await inAcme(async (db) => {
      const { id } = await db
        .insertInto('users')
        .values({
          ...{ tenant_id: world.acme, email, first_name: name, last_name: 'Test' },
          ...{ activation_status: 'active', accepted_terms_on: new Date(), timezone: BY_DAY, ...more },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('user_general_roles')
        .values({ tenant_id: world.acme, user_id: id, role: 'user' })
        .execute()
      return id
    })
    return { ...uri, user_id: id, email, first_name: name }
  }

  async function ask(who: Principal, method: string, path: string, body?: object, sub?: string) {
    const headers = new Headers({ authorization: 'Bearer x', 'x-tenant-id': who.tenant_id })
    if (sub) headers.set('x-sub-tenant-id', sub)
    if (body) headers.set('content-type', 'application/json')
    const request = new Request(`http://api.test/api/v1${path}`, {
      ...{ method, headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const response = await world.api.fetch(request, { caller: { token: 'x', principal: who } })
    const text = await response.text()
    return { status: response.status, text, json: JSON.parse(text) }
  }

  const add = async (journey: number, people: readonly Principal[], role = 'learner') => {
    const user_ids = people.map((one) => one.user_id)
    const added = await world.must('adam', 'POST', `/lljs/${journey}/members`, { user_ids, role })
    return added.data as { id: number; user_id: number }[]
  }

  /** Launches a journey for these learners. */
  async function run(learners: readonly Principal[], name = 'Assessed', more: object = {}) {
    const { id } = await world.draft([], { name, ...more })
    const members = await add(id, learners)
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    return { id, members }
  }

  const create = async (journey: number, more: object = {}) =>
    world.must('adam', 'POST', `/lljs/${journey}/assessments`, {
      ...{ name: 'Before', phase: 'pre', raters: ['self'], opens: LONG_AGO, items: ITEMS, ...more },
    })

  const sponsor = async (journey: number, who: Principal, learners: readonly { id: number }[]) =>
    world.must('adam', 'PATCH', `/lljs/${journey}/members`, {
      member_ids: learners.map((one) => one.id),
      sponsor_user_id: who.user_id,
    })

  const told = (who: Principal) =>
    inAcme((db) =>
      db
        .selectFrom('notifications')
        .select(['content', 'notification_type'])
        .where('user_id', '=', who.user_id)
        .where('notification_type', '=', 'info')
        .orderBy('id')
        .execute(),
    )

  const forms = (assessment: number) =>
    inAcme((db) =>
      db
        .selectFrom('assessment_forms as f')
        .innerJoin('members as s', 's.id', 'f.subject_id')
        .innerJoin('members as r', 'r.id', 'f.rater_id')
        .selectAll('f')
        .select(['s.user_id as subject', 'r.user_id as person'])
        .where('assessment_id', '=', assessment)
        .orderBy('f.id')
        .execute(),
    )

  const drop = async () => {
    await workers.stop()
    await world.drop()
  }
  return { ...world, inAcme, person, ask, add, run, create, sponsor, told, forms, work: workers.drain, drop }
}
