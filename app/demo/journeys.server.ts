/** The demo's journeys, made by the domain's own commands; what they lived through is in history.server.ts. */
import type { Actor } from '#app/domain/access/actor.ts'
import { createJourney } from '#app/domain/journeys/journeys.server.ts'
import type { ScheduleRule } from '#app/domain/lifts/schedule-rule.ts'
import { addMembers } from '#app/domain/participants/members.server.ts'
import { createLift } from '#app/domain/running/edit-lifts.server.ts'
import { createPrompt } from '#app/domain/running/edit-prompts.server.ts'
import { launchJourney } from '#app/domain/running/launch.server.ts'
import type { Scope } from '#app/domain/scope.server.ts'
import { seedAssessments } from './assessments.server.ts'
import { CURRICULUM, type DemoJourney, type DemoLift } from './curriculum.ts'
import { writeHistory } from './history.server.ts'
import type { DemoTenant } from './world.ts'

export async function seedJourneys(scope: Scope, company: DemoTenant): Promise<void> {
  const author = { ...scope, actor: await authorOf(scope) }
  const learners = await learnersOf(scope)
  for (const plan of CURRICULUM[company.name] ?? []) await seedJourney(author, plan, learners)
}

async function seedJourney(scope: Scope, plan: DemoJourney, learners: readonly number[]): Promise<void> {
  const { name, description, category } = plan
  const journey = await createJourney(scope, {
    name,
    description,
    category,
    start_on: dayFromNow(plan.starts_in),
    channels: ['sms', 'email'],
  })
  const place = plan.sub_tenant ? await placeIn(scope, journey.id, plan.sub_tenant) : null
  for (const [index, lift] of plan.lifts.entries())
    await seedLift(scope, journey.id, lift, scheduleOf(plan, index))
  const user_ids = (place ?? learners).slice(0, plan.learners)
  if (user_ids.length > 0)
    await addMembers(scope, journey.id, { user_ids, role: 'learner', exclude_data: false })
  if (plan.status === 'draft') return
  await launchJourney(scope, journey.id, { skip_past: true })
  await writeHistory(scope, journey.id, plan)
  if (plan.status === 'completed') await seedAssessments(scope, journey.id, plan.starts_in)
}

/** Moves the journey into a sub-tenant, and answers whom that has for learners. */
async function placeIn({ db }: Scope, journeyId: number, name: string): Promise<number[]> {
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

/** Without days between its lifts a journey is sent by whoever launches it. */
function scheduleOf({ days_between }: DemoJourney, index: number): ScheduleRule {
  if (days_between === 0) return { kind: 'manual', at_launch: true }
  return { kind: 'offset', from: 'start', days: index * days_between, time: '09:30' }
}

async function seedLift(
  scope: Scope,
  journeyId: number,
  lift: DemoLift,
  schedule: ScheduleRule,
): Promise<void> {
  const { id } = await createLift(scope, journeyId, {
    title: lift.title,
    sms_text: 'Hi {{first_name}}, three minutes for "{{lift}}"? {{link}}',
    email_subject: '{{lift}}',
    blocks: [{ kind: 'text', markdown: lift.markdown }],
    schedule,
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

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}
