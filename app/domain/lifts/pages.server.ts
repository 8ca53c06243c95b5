/** The page that a message links to: for its learner, and as a test page for authors. */
import { sql } from 'kysely'
import { notFound, Refusal } from '../errors.ts'
import { isClosed, type JourneyStatus } from '../journeys/journey-status.ts'
import { getJourney } from '../journeys/journeys.server.ts'
import { writeFact } from '../occurrences/facts.server.ts'
import { furthest, type OccurrenceState } from '../occurrences/occurrence.ts'
import { nowIn } from '../scope/clock.server.ts'
import { asParticipant, type Scope, tenantWide } from '../scope/scope.server.ts'
import {
  earlier,
  hasEnded,
  isClosedFor,
  type Occurrence,
  readOccurrence,
  selectOccurrence,
} from './find-occurrence.server.ts'
import { LiftContent } from './lift.ts'
import { getLift } from './lifts.server.ts'
import type { LiftPage } from './page.ts'
import { toPagePrompt } from './page-prompts.server.ts'
import { neverComes, progressOf } from './progress.server.ts'
import type { Prompt } from './prompt.ts'
import { readSponsor } from './read-sponsor.server.ts'

/** Reading the page only records the opening, and only for its learner. */
export async function openLiftPage(scope: Scope, liftId: number): Promise<LiftPage> {
  const page = await asParticipant(scope, async (own) => {
    const occurrence = await readOccurrence(own, liftId)
    if (!occurrence) return drawUnopened(own, liftId)
    // An archived journey records nothing more, not even an opening.
    return drawPage(
      own,
      occurrence.opened_at || hasEnded(occurrence, nowIn(own))
        ? occurrence
        : await markOpened(own, occurrence),
      LiftContent.parse(occurrence.content),
    )
  })
  return page ?? getTestPage(scope, liftId)
}

/** The learner's own lift before it is due, or one that will never come: its name, and when or why. */
async function drawUnopened(scope: Scope, liftId: number): Promise<LiftPage | undefined> {
  const occurrence = await selectOccurrence(scope, liftId).executeTakeFirst()
  if (
    !occurrence ||
    (occurrence.state === 'cancelled' && !isClosed(occurrence.journey_status as JourneyStatus))
  )
    return undefined
  const { due_at } = occurrence
  const isToCome = due_at !== null && due_at > nowIn(scope)
  const { title, est_minutes } = await scope.db
    .selectFrom('lifts')
    .select(['title', 'est_minutes'])
    .where('id', '=', liftId)
    .executeTakeFirstOrThrow()
  return {
    ...common(liftId, { title, est_minutes, completion_rule: 'all_required_prompts', blocks: [] }),
    journey: { id: occurrence.journey_id, name: occurrence.journey_name },
    ...{
      sponsor: null,
      prompts: [],
      is_test: false,
      state: occurrence.state,
      completed_at: null,
      closes_at: null,
      is_closed: await neverComes(scope, occurrence),
    },
    not_yet: occurrence.state === 'cancelled' ? null : { due_at: isToCome ? due_at.toISOString() : null },
    has_ended: occurrence.state === 'cancelled',
    zone: occurrence.own_zone,
    ...{ progress: { completed: 0, total: 0 }, next: null },
  }
}

async function markOpened(scope: Scope, occurrence: Occurrence): Promise<Occurrence> {
  const opened = { opened_at: nowIn(scope), state: furthest(occurrence.state as OccurrenceState, 'opened') }
  await scope.db
    .updateTable('occurrences')
    .set(opened)
    .where('id', '=', occurrence.id)
    .where('opened_at', 'is', null)
    .execute()
  await scope.db
    .updateTable('members')
    .set({ state: 'active' })
    .where('id', '=', occurrence.member_id)
    .where('state', '=', 'invited')
    .execute()
  await tenantWide(scope, (whole) => writeFact(whole, occurrence.id))
  return { ...occurrence, ...opened }
}

export async function drawPage(
  scope: Scope,
  occurrence: Occurrence,
  content: LiftContent,
): Promise<LiftPage> {
  const liftId = occurrence.lift_id
  const answers = await scope.db
    .selectFrom('responses')
    .select(['prompt_id', 'value', 'score', 'score_comment', 'visibility', 'submitted_at'])
    .select(sql<number | null>`(select max_score from prompt_scoring(responses.prompt_id))`.as('max_score'))
    .select(({ selectFrom }) =>
      selectFrom('commitments')
        .select('state')
        .whereRef('commitments.member_id', '=', 'responses.member_id')
        .whereRef('commitments.prompt_id', '=', 'responses.prompt_id')
        .as('commitment'),
    )
    .where('member_id', '=', occurrence.member_id)
    .where('lift_id', '=', liftId)
    .where('is_current', '=', true)
    .execute()
  const promised = await readPromises(scope, content.prompts)
  const scoresStand = occurrence.journey_status === 'archived'
  return {
    ...common(liftId, content),
    journey: { id: occurrence.journey_id, name: occurrence.journey_name },
    sponsor: await readSponsor(scope, occurrence.sponsor_id),
    prompts: content.prompts.map((prompt) =>
      toPagePrompt(
        {
          ...prompt,
          visibility: promised.get(prompt.id) ?? prompt.visibility,
          scoring: scoresStand ? 'none' : prompt.scoring,
        },
        answers.find((answer) => answer.prompt_id === prompt.id),
      ),
    ),
    is_test: false,
    state: occurrence.state,
    completed_at: occurrence.completed_at?.toISOString() ?? null,
    closes_at: earlier(occurrence.closes_at, occurrence.answers_until)?.toISOString() ?? null,
    is_closed: isClosedFor(occurrence, nowIn(scope)),
    ...{ not_yet: null, has_ended: hasEnded(occurrence, nowIn(scope)), zone: occurrence.own_zone },
    ...(await progressOf(scope, occurrence)),
  }
}

/** Who will read an answer given now: the question may have been restricted since it was sent. */
export async function readPromises({ db }: Scope, prompts: readonly Pick<Prompt, 'id' | 'visibility'>[]) {
  const { rows } = await sql<Pick<Prompt, 'id' | 'visibility'>>`
    select id, narrower_visibility(sent, prompt_visibility(id)) as visibility
    from unnest(${prompts.map(({ id }) => id)}::bigint[], ${prompts.map((one) => one.visibility)}::text[])
      as asked (id, sent)`.execute(db)
  return new Map(rows.map(({ id, visibility }) => [id, visibility]))
}

/** The lift as saved now. Nothing is stored or counted. */
export async function getTestPage(scope: Scope, liftId: number): Promise<LiftPage> {
  const lift = await getLift(scope, liftId).catch(asNotThere)
  const journey = await getJourney(scope, lift.journey_id)
  return {
    ...common(liftId, lift),
    journey: { id: journey.id, name: journey.name },
    sponsor: null,
    prompts: lift.prompts.map((prompt) => toPagePrompt(prompt, undefined)),
    is_test: true,
    state: null,
    completed_at: null,
    closes_at: null,
    ...{ is_closed: false, not_yet: null, has_ended: false, zone: 'UTC' },
    progress: { completed: 0, total: 0 },
    next: null,
  }
}

/** Without access, the answer is the same as for a missing lift. */
function asNotThere(error: unknown): never {
  throw error instanceof Refusal && error.status === 403 ? notFound() : error
}

type Named = Pick<LiftContent, 'title' | 'est_minutes' | 'completion_rule' | 'blocks'>
const common = (id: number, { title, est_minutes, completion_rule, blocks }: Named) => ({
  id,
  title,
  est_minutes,
  completion_rule,
  blocks,
})
