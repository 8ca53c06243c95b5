/** What the demo's journeys lived through before anybody looked: messages sent, opened and answered. */
import { sql } from 'kysely'
import type { Lift } from '#app/domain/lifts/lift.ts'
import { listLifts } from '#app/domain/lifts/lifts.server.ts'
import { rederiveFacts } from '#app/domain/occurrences/facts.server.ts'
import type { Scope } from '#app/domain/scope.server.ts'
import type { DemoJourney } from './curriculum.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

export async function writeHistory(scope: Scope, journeyId: number, plan: DemoJourney): Promise<void> {
  const members = await scope.db
    .selectFrom('members')
    .select('id')
    .where('journey_id', '=', journeyId)
    .where('role', '=', 'learner')
    .orderBy('id')
    .execute()
  const start = Date.now() + plan.starts_in * DAY
  for (const [at, lift] of (await listLifts(scope, journeyId)).entries()) {
    const due = start + at * plan.days_between * DAY
    if (due > Date.now() - HOUR) continue
    for (const [who, member] of members.entries())
      await writeOccurrence(scope, lift, member.id, due, fateOf(at, who))
  }
  if (plan.status === 'paused') await hold(scope, journeyId)
  await scope.db
    .updateTable('journeys')
    .set({
      ...(plan.status === 'completed' && { answers_until: new Date() }),
      status: plan.status,
      launched_at: new Date(start - DAY),
      created_on: new Date(start - 12 * DAY),
    })
    .where('id', '=', journeyId)
    .execute()
  await rederiveFacts(scope)
}

type Fate = { answered: boolean; opened: boolean; failed: boolean; option: number; after: number }

/** Always the same for the same lift and learner: most answer, some read, few are not reached. */
function fateOf(lift: number, learner: number): Fate {
  const dice = (lift * 7 + learner * 3 + 1) % 10
  return {
    answered: dice < 6,
    opened: dice < 8,
    failed: dice === 9 && learner % 2 === 0,
    option: (lift + learner) % 4 === 3 ? 2 : 1,
    after: HOUR * (0.2 + ((learner * 5 + lift * 3) % 17)),
  }
}

async function writeOccurrence(
  scope: Scope,
  lift: Lift,
  member_id: number,
  due: number,
  fate: Fate,
): Promise<void> {
  const { tenant_id } = scope.actor
  const due_at = new Date(due)
  const answered_at = fate.answered ? new Date(Math.min(due + fate.after, Date.now())) : null
  const { id: occurrence_id } = await scope.db
    .insertInto('occurrences')
    .values({
      tenant_id,
      journey_id: lift.journey_id,
      lift_id: lift.id,
      member_id,
      zone: 'UTC',
      planned_local: due_at.toISOString().slice(0, 19),
      due_at,
      state: fate.answered ? 'completed' : fate.opened ? 'opened' : 'sent',
      content_version: lift.version,
      opened_at: fate.opened ? (answered_at ?? new Date(due + HOUR)) : null,
      first_response_at: answered_at,
      completed_at: answered_at,
    })
    .onConflict((clash) =>
      clash
        .columns(['tenant_id', 'lift_id', 'member_id'])
        .doUpdateSet({ due_at, first_response_at: answered_at }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeMessage(scope, occurrence_id, due_at, fate.failed && !fate.opened)
  if (answered_at) await writeAnswer(scope, lift, member_id, fate.option, answered_at)
}

async function writeMessage(scope: Scope, occurrence_id: number, at: Date, failed: boolean): Promise<void> {
  await scope.db
    .insertInto('dispatches')
    .values({
      tenant_id: scope.actor.tenant_id,
      occurrence_id,
      kind: 'lift',
      channel: 'email',
      state: failed ? 'failed' : 'delivered',
      due_at: at,
      next_attempt_at: at,
      attempts: 1,
      sent_at: at,
      accepted_at: failed ? null : at,
      delivered_at: failed ? null : at,
      error_code: failed ? 'mailbox_full' : null,
    })
    .onConflict((clash) => clash.doNothing())
    .execute()
}

async function writeAnswer(
  scope: Scope,
  lift: Lift,
  member_id: number,
  option: number,
  submitted_at: Date,
): Promise<void> {
  for (const prompt of lift.prompts) {
    await scope.db
      .insertInto('responses')
      .values({
        tenant_id: scope.actor.tenant_id,
        member_id,
        lift_id: lift.id,
        prompt_id: prompt.id,
        prompt_version: prompt.version,
        value: JSON.stringify(`option-${option}`),
        score: option === 1 ? 1 : 0,
        submitted_at,
      })
      .execute()
  }
}

async function hold({ db }: Scope, journeyId: number): Promise<void> {
  await sql`update occurrences set state = 'held' where journey_id = ${journeyId} and state in ('planned', 'due')`.execute(
    db,
  )
}
