/** The demo's journeys, created by the domain's own commands; their past is in history.server.ts. */
import type { Actor } from '#app/domain/access/actor.ts'
import { createJourney } from '#app/domain/journeys/journeys.server.ts'
import type { ScheduleRule } from '#app/domain/lifts/schedule-rule.ts'
import { changeMembers } from '#app/domain/participants/changing.server.ts'
import { addMembers } from '#app/domain/participants/members.server.ts'
import { createLift } from '#app/domain/running/edit-lifts.server.ts'
import { createPrompt } from '#app/domain/running/edit-prompts.server.ts'
import { launchJourney } from '#app/domain/running/launch.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { writeAssessments } from './assessments.server.ts'
import { CURRICULUM, DAY, type DemoJourney } from './curriculum.ts'
import type { DemoTenant } from './demo-tenant.ts'
import { endOf, liveThrough, type Visit } from './history.server.ts'
import type { DemoLift } from './lessons.ts'

export async function seedJourneys(scope: Scope, company: DemoTenant): Promise<void> {
  const author = { ...scope, actor: await authorOf(scope) }
  const learners = await learnersOf(scope)
  const plans = CURRICULUM[company.name] ?? []
  await liveThrough(
    author,
    plans.map((plan) => begin(plan, learners)),
  )
}

/** Writes the journey and launches it a while later; then its messages come by themselves. */
function begin(plan: DemoJourney, learners: readonly number[]): Visit {
  const start = startOf(plan)
  const launch = Math.min(start.getTime() - 0.6 * DAY, Date.now() - DAY)
  return {
    at: launch - 11 * DAY,
    async come(then) {
      const id = await writeJourney(then, plan, start, learners)
      if (plan.status === 'draft') return []
      const launching = async (later: Scope) => {
        await launchJourney(later, id, { skip_past: true })
        return endOf(id, plan, start)
      }
      return [{ at: launch, come: launching }]
    },
  }
}

async function writeJourney(
  scope: Scope,
  plan: DemoJourney,
  start: Date,
  learners: readonly number[],
): Promise<number> {
  const { name, description, category, first_learner = 0 } = plan
  const journey = await createJourney(scope, {
    name,
    description,
    category,
    start_on: start.toISOString().slice(0, 10),
    channels: ['sms', 'email'],
    ...(plan.is_strict && { reminder_policy: [{ after_hours: 48, channel: 'sms' }] }),
  })
  const members = plan.sub_tenant ? await membersIn(scope, journey.id, plan.sub_tenant) : null
  for (const [index, lift] of plan.lifts.entries())
    await seedLift(scope, journey.id, lift, {
      schedule: scheduleOf(plan, index),
      closes_after_hours: plan.is_strict ? 5 * 24 : null,
    })
  const user_ids = (members ?? learners).slice(first_learner).slice(0, plan.learners)
  if (user_ids.length > 0)
    await addMembers(scope, journey.id, { user_ids, role: 'learner', exclude_data: false })
  if (plan.sponsored) await giveSponsor(scope, journey.id, plan.sponsored)
  if (plan.is_assessed) await writeAssessments(scope, journey.id, plan)
  return journey.id
}

async function giveSponsor(
  scope: Scope,
  journeyId: number,
  { by, from, to }: NonNullable<DemoJourney['sponsored']>,
): Promise<void> {
  const { id } = await scope.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', by)
    .executeTakeFirstOrThrow()
  const members = await scope.db
    .selectFrom('members')
    .select('id')
    .where('journey_id', '=', journeyId)
    .where('role', '=', 'learner')
    .orderBy('id')
    .execute()
  const member_ids = members.slice(from, to).map((member) => member.id)
  await changeMembers(scope, journeyId, { member_ids, sponsor_user_id: id })
}

/** Moves the journey into a sub-tenant, and returns that sub-tenant's learners. */
async function membersIn({ db }: Scope, journeyId: number, name: string): Promise<number[]> {
  const { id } = await db
    .selectFrom('sub_tenants')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  await db.updateTable('journeys').set({ sub_tenant_id: id }).where('id', '=', journeyId).execute()
  const rows = await db
    .selectFrom('user_general_roles')
    .select('user_id')
    .where('sub_tenant_id', '=', id)
    .where('role', '=', 'user')
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

/** Without days between its lifts, the launch itself sends a journey's lifts. */
function scheduleOf({ days_between }: DemoJourney, index: number): ScheduleRule {
  if (days_between === 0) return { kind: 'manual', at_launch: true }
  return { kind: 'offset', from: 'start', days: index * days_between, time: '09:30' }
}

async function seedLift(
  scope: Scope,
  journeyId: number,
  lift: DemoLift,
  when: { schedule: ScheduleRule; closes_after_hours: number | null },
): Promise<void> {
  const { id } = await createLift(scope, journeyId, {
    title: lift.title,
    sms_text: 'Hi {{first_name}}, three minutes for "{{lift}}"? {{link}}',
    email_subject: '{{lift}}',
    blocks: [{ kind: 'text', markdown: lift.markdown }],
    ...when,
    status: 'ready',
  })
  await createPrompt(scope, id, {
    kind: 'single_choice',
    text: lift.question,
    help: '',
    options: lift.options.map(([text, feedback], index) => ({
      id: `option-${index + 1}`,
      text,
      correct: index === 0,
      feedback,
    })),
    target: null,
    scoring: 'auto',
    max_score: 1,
    required: true,
    visibility: 'admins',
  })
  if (!lift.commitment) return
  await createPrompt(scope, id, {
    kind: 'commitment',
    text: lift.commitment,
    ...{ help: '', options: [], target: null, scoring: 'none', max_score: 1 },
    required: false,
    visibility: 'sponsor',
  })
}

/** The company's author, acting with an administrator's rights. */
async function authorOf({ actor, db }: Scope): Promise<Actor> {
  const author = await db
    .selectFrom('users')
    .innerJoin('user_general_roles as r', 'r.user_id', 'users.id')
    .select(['users.id', 'users.email'])
    .where('r.role', 'in', ['author', 'admin'])
    .orderBy('r.role', 'desc')
    .orderBy('users.id')
    .executeTakeFirstOrThrow()
  return {
    ...actor,
    user_id: author.id,
    email: author.email,
    home_tenant_id: actor.tenant_id,
    roles: ['admin'],
    is_super_admin: false,
  }
}

async function learnersOf({ db }: Scope): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .innerJoin('user_general_roles as r', 'r.user_id', 'users.id')
    .select('users.id')
    .distinct()
    .where('r.role', '=', 'user')
    .orderBy('users.id')
    .execute()
  return rows.map((row) => row.id)
}

/** Always a working day, whatever day the demo begins, because lifts are due only on those. */
function startOf({ starts_in }: DemoJourney): Date {
  const start = new Date(Date.now() + starts_in * DAY)
  const day = start.getUTCDay()
  const isBack = starts_in >= 0 ? 0 : day === 6 ? 1 : day === 0 ? 2 : 0
  return new Date(Math.floor(start.getTime() / DAY) * DAY - isBack * DAY)
}
