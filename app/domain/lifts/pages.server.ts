/** The page a message links to: for its learner, and as a test for those who write it. */
import { sql } from 'kysely'
import { maySeeJourney } from '../access/journeys.ts'
import { nowIn } from '../clock.server.ts'
import { notFound } from '../errors.ts'
import { isClosed, type JourneyStatus } from '../journeys/journey.ts'
import { writeFact } from '../occurrences/facts.server.ts'
import { furthest, type OccurrenceState } from '../occurrences/occurrence.ts'
import { asParticipant, inTheMiddle, type Scope } from '../scope.server.ts'
import type { LiftContent } from './lift.ts'
import { getLift } from './lifts.server.ts'
import type { LiftPage, PagePrompt } from './page.ts'
import { isHit, type Prompt, type PromptOption } from './prompt.ts'
import { getVersion } from './versions.server.ts'

/** The occurrence of the one who is signed in with this lift. */
export const findOccurrence = (scope: Scope, liftId: number): Promise<Occurrence | undefined> =>
  asParticipant(scope, (own) => readOccurrence(own, liftId))

/** The same for a participant; locked, two who answer at once take turns. */
export async function readOccurrence(scope: Scope, liftId: number, lock?: 'to answer') {
  return selectOccurrence(scope, liftId)
    .where('o.due_at', '<=', nowIn(scope))
    .where('o.state', 'not in', ['held', 'cancelled'])
    .$if(lock !== undefined, (query) => query.forUpdate('o'))
    .executeTakeFirst()
}

const selectOccurrence = ({ actor, db }: Scope, liftId: number) =>
  db
    .selectFrom('occurrences as o')
    .innerJoin('members as m', 'm.id', 'o.member_id')
    .innerJoin('journeys as j', 'j.id', 'o.journey_id')
    .select('m.sponsor_id')
    .select([
      'o.id',
      'o.member_id',
      'o.journey_id',
      'o.lift_id',
      'o.state',
      'o.content_version',
      'o.opened_at',
    ])
    .select([
      'o.first_response_at',
      'o.zone',
      'o.completed_at',
      'o.closes_at',
      'o.due_at',
      'j.name as journey_name',
      'j.status as journey_status',
      'j.answers_until',
      'm.state as member_state',
    ])
    .where('o.lift_id', '=', liftId)
    .where('m.user_id', '=', actor.user_id ?? 0)
    .where('m.role', '=', 'learner')
    .where('m.state', '!=', 'withdrawn')
export type Occurrence = NonNullable<Awaited<ReturnType<typeof readOccurrence>>>

/** Opening is the only thing that reading the page changes, and only for its learner. */
export async function openLiftPage(scope: Scope, liftId: number): Promise<LiftPage> {
  const page = await asParticipant(scope, async (own) => {
    const occurrence = await readOccurrence(own, liftId)
    if (!occurrence) return drawUnopened(own, liftId)
    // What an archived journey came to stays as it is.
    return drawPage(
      own,
      occurrence.opened_at || hasEnded(occurrence, nowIn(own))
        ? occurrence
        : await markOpened(own, occurrence),
    )
  })
  return page ?? getTestPage(scope, liftId)
}

/** One's own lift that has not come yet, or never will: its name, and when or why. */
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
      is_closed: false,
    },
    not_yet: occurrence.state === 'cancelled' ? null : { due_at: isToCome ? due_at.toISOString() : null },
    has_ended: occurrence.state === 'cancelled',
    zone: await zoneOfReader(scope),
    ...{ progress: { completed: 0, total: 0 }, next: null },
  }
}

/** The journey takes no answers any more. */
const hasEnded = ({ answers_until }: Pick<Occurrence, 'answers_until'>, now: Date): boolean =>
  answers_until !== null && answers_until <= now

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other)

async function zoneOfReader({ actor, db }: Scope): Promise<string> {
  const row = await db
    .selectFrom('users as u')
    .innerJoin('tenants as t', 't.id', 'u.tenant_id')
    .select((eb) => eb.fn.coalesce('u.timezone', 't.timezone').as('zone'))
    .where('u.id', '=', actor.user_id ?? 0)
    .executeTakeFirst()
  return row?.zone ?? 'UTC'
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
  await inTheMiddle(scope, (whole) => writeFact(whole, occurrence.id))
  return { ...occurrence, ...opened }
}

export async function drawPage(scope: Scope, occurrence: Occurrence): Promise<LiftPage> {
  const liftId = occurrence.lift_id
  const content = await getVersion(scope, liftId, occurrence.content_version)
  const answers = await scope.db
    .selectFrom('responses')
    .select(['prompt_id', 'value', 'score', 'score_comment', 'visibility', 'submitted_at'])
    .select(sql<number | null>`(select max_score from prompt_scoring(responses.prompt_id))`.as('max_score'))
    .where('member_id', '=', occurrence.member_id)
    .where('lift_id', '=', liftId)
    .where('is_current', '=', true)
    .execute()
  const promised = await readPromises(scope, content.prompts)
  return {
    ...common(liftId, content),
    journey: { id: occurrence.journey_id, name: occurrence.journey_name },
    sponsor: await readSponsor(scope, occurrence.sponsor_id),
    prompts: content.prompts.map((prompt) =>
      toPagePrompt(
        { ...prompt, visibility: promised.get(prompt.id) ?? prompt.visibility },
        answers.find((answer) => answer.prompt_id === prompt.id),
      ),
    ),
    is_test: false,
    state: occurrence.state,
    completed_at: occurrence.completed_at?.toISOString() ?? null,
    closes_at: earlier(occurrence.closes_at, occurrence.answers_until)?.toISOString() ?? null,
    is_closed: isClosedFor(occurrence, nowIn(scope)),
    ...{ not_yet: null, has_ended: hasEnded(occurrence, nowIn(scope)), zone: await zoneOfReader(scope) },
    ...(await progressOf(scope, occurrence)),
  }
}

/** By name, also where they belong to another sub-tenant. */
async function readSponsor(scope: Scope, memberId: number | null): Promise<string | null> {
  if (memberId === null) return null
  const sponsor = await inTheMiddle(scope, ({ db }) =>
    db
      .selectFrom('members as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .select(sql<string>`trim(u.first_name || ' ' || u.last_name)`.as('name'))
      .where('m.id', '=', memberId)
      .where('m.state', '!=', 'withdrawn')
      .executeTakeFirst(),
  )
  return sponsor?.name || null
}

/** Who will read an answer that is given now: the question may have been narrowed since it was sent. */
export async function readPromises({ db }: Scope, prompts: readonly Pick<Prompt, 'id' | 'visibility'>[]) {
  const { rows } = await sql<Pick<Prompt, 'id' | 'visibility'>>`
    select id, narrower_visibility(sent, prompt_visibility(id)) as visibility
    from unnest(${prompts.map(({ id }) => id)}::bigint[], ${prompts.map((one) => one.visibility)}::text[])
      as asked (id, sent)`.execute(db)
  return new Map(rows.map(({ id, visibility }) => [id, visibility]))
}

export const isClosedFor = (
  occurrence: Pick<Occurrence, 'closes_at' | 'answers_until' | 'state'>,
  now: Date,
): boolean => {
  const closes_at = earlier(occurrence.closes_at, occurrence.answers_until)
  return occurrence.state === 'expired' || (closes_at !== null && closes_at <= now)
}

/** The lift as saved now. Nothing is stored, nobody is counted. */
export async function getTestPage(scope: Scope, liftId: number): Promise<LiftPage> {
  const journey = await scope.db
    .selectFrom('lifts as l')
    .innerJoin('journeys as j', 'j.id', 'l.journey_id')
    .select(['j.id', 'j.name', 'j.author_id', 'j.sub_tenant_id'])
    .where('l.id', '=', liftId)
    .executeTakeFirst()
  if (!journey || !maySeeJourney(scope.actor, journey)) throw notFound()
  const lift = await getLift(scope, liftId)
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

type Named = Pick<LiftContent, 'title' | 'est_minutes' | 'completion_rule' | 'blocks'>
const common = (id: number, { title, est_minutes, completion_rule, blocks }: Named) => ({
  id,
  title,
  est_minutes,
  completion_rule,
  blocks,
})

type Answer = {
  value: unknown
  score: number | null
  score_comment: string
  max_score: number | null
  visibility: string
  submitted_at: Date
}

function toPagePrompt(prompt: Prompt, answer: Answer | undefined): PagePrompt {
  const { id, position, kind, text, help, required, visibility, scoring } = prompt
  const chosen = prompt.options.filter((option) => [answer?.value].flat().includes(option.id))
  return {
    id,
    position,
    kind,
    text,
    help,
    required,
    visibility: (answer?.visibility ?? visibility) as PagePrompt['visibility'],
    scorer: scoring === 'sponsor' || scoring === 'author' ? scoring : null,
    // A retired one is still named where it was chosen.
    options: prompt.options
      .filter((option) => !option.retired || chosen.includes(option))
      .map((option) => ({ id: option.id, text: option.text })),
    answer: answer
      ? {
          value: answer.value,
          ...judged(prompt, answer.value, chosen),
          score: scoreOf(prompt, answer),
          submitted_at: answer.submitted_at.toISOString(),
        }
      : null,
  }
}

function scoreOf(prompt: Prompt, { score, score_comment: comment, max_score }: Answer) {
  if (score === null) return null
  const of = max_score ?? prompt.max_score
  return { points: Math.round(score * of * 100) / 100, max_score: of, comment }
}

/** Whether it was right, and what is said about it. */
function judged({ target, ...prompt }: Prompt, value: unknown, chosen: readonly PromptOption[]) {
  if (target) {
    const correct = isHit(target, value)
    return { correct, feedback: correct ? target.right : target.wrong }
  }
  const hasRight = prompt.options.some((option) => option.correct !== null)
  const ids = chosen.map((option) => option.id)
  return {
    correct: hasRight && ids.length > 0 ? isRight(prompt, ids) : null,
    feedback: chosen
      .map((option) => option.feedback)
      .filter(Boolean)
      .join(' '),
  }
}

function isRight(prompt: Pick<Prompt, 'options'>, chosen: string[]): boolean {
  const correct = prompt.options.filter((option) => option.correct).map((option) => option.id)
  return correct.length === chosen.length && correct.every((id) => chosen.includes(id))
}

/** An occurrence that came and is not done; its message may still wait. */
const WAITS = ['planned', 'due', 'sent', 'opened', 'responded', 'suppressed']

/** How far the learner is in the journey, and what comes next. */
async function progressOf(
  { db }: Scope,
  occurrence: Occurrence,
): Promise<Pick<LiftPage, 'progress' | 'next'>> {
  const occurrences = await db
    .selectFrom('occurrences as o')
    .innerJoin('lifts as l', 'l.id', 'o.lift_id')
    .select(['o.lift_id', 'o.state', 'o.due_at', 'o.closes_at', 'l.title', 'l.position'])
    .where('o.member_id', '=', occurrence.member_id)
    .where('o.state', '!=', 'cancelled')
    .orderBy('o.due_at', (order) => order.asc().nullsLast())
    .orderBy('l.position')
    .execute()
  const now = nowIn({ db })
  const others = occurrences.filter((one) => one.lift_id !== occurrence.lift_id)
  const isOpen = (one: (typeof others)[number]) =>
    WAITS.includes(one.state) &&
    one.due_at !== null &&
    one.due_at <= now &&
    !isClosedFor({ ...one, answers_until: null }, now)
  const next = hasEnded(occurrence, now)
    ? undefined
    : (others.find(isOpen) ?? others.find((one) => isToCome(one, now)))
  return {
    progress: {
      completed: occurrences.filter((one) => one.state === 'completed').length,
      total: occurrences.length,
    },
    next: next
      ? {
          id: next.lift_id,
          title: next.title,
          due_at: isTimed(next, occurrence) ? next.due_at.toISOString() : null,
          is_open: isOpen(next),
        }
      : null,
  }
}

type Planned = { state: string; due_at: Date | null }

const isToCome = ({ state, due_at }: Planned, now: Date): boolean =>
  (state === 'planned' || state === 'held') && (due_at === null || due_at > now)

/** What a pause or a person holds back has no time until it goes on. */
const isTimed = <One extends Planned>(
  one: One,
  { journey_status }: Occurrence,
): one is One & { due_at: Date } => one.due_at !== null && one.state !== 'held' && journey_status !== 'paused'
