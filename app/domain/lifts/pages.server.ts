/** The page a message links to: for its learner, and as a test for those who write it. */
import { sql } from 'kysely'
import { maySeeJourney } from '../access/journeys.ts'
import { notFound } from '../errors.ts'
import { writeFact } from '../occurrences/facts.server.ts'
import { furthest, type OccurrenceState } from '../occurrences/occurrence.ts'
import { asParticipant, inTheMiddle, type Scope } from '../scope.server.ts'
import type { LiftContent } from './lift.ts'
import { getLift } from './lifts.server.ts'
import type { LiftPage, PagePrompt } from './page.ts'
import { isHit, type Prompt, type PromptOption } from './prompt.ts'
import { getVersion } from './versions.server.ts'

/** The turn of the one who is signed in with this lift. */
export const findTurn = (scope: Scope, liftId: number): Promise<Turn | undefined> =>
  asParticipant(scope, (own) => readTurn(own, liftId))

/** The same for a participant; locked, two who answer at once take turns. */
export async function readTurn({ actor, db }: Scope, liftId: number, lock?: 'to answer') {
  return db
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
      'o.completed_at',
      'o.closes_at',
      'j.name as journey_name',
      'm.state as member_state',
    ])
    .where('o.lift_id', '=', liftId)
    .where('m.user_id', '=', actor.user_id ?? 0)
    .where('m.role', '=', 'learner')
    .where('m.state', '!=', 'withdrawn')
    .where('o.due_at', '<=', new Date())
    .where('o.state', 'not in', ['held', 'cancelled'])
    .$if(lock !== undefined, (query) => query.forUpdate('o'))
    .executeTakeFirst()
}
export type Turn = NonNullable<Awaited<ReturnType<typeof readTurn>>>

/** Opening is the only thing that reading the page changes, and only for its learner. */
export async function openLiftPage(scope: Scope, liftId: number): Promise<LiftPage> {
  const page = await asParticipant(scope, async (own) => {
    const turn = await readTurn(own, liftId)
    return turn && drawPage(own, turn.opened_at ? turn : await markOpened(own, turn))
  })
  return page ?? getTestPage(scope, liftId)
}

async function markOpened(scope: Scope, turn: Turn): Promise<Turn> {
  const opened = { opened_at: new Date(), state: furthest(turn.state as OccurrenceState, 'opened') }
  await scope.db
    .updateTable('occurrences')
    .set(opened)
    .where('id', '=', turn.id)
    .where('opened_at', 'is', null)
    .execute()
  await scope.db
    .updateTable('members')
    .set({ state: 'active' })
    .where('id', '=', turn.member_id)
    .where('state', '=', 'invited')
    .execute()
  await inTheMiddle(scope, (whole) => writeFact(whole, turn.id))
  return { ...turn, ...opened }
}

export async function drawPage(scope: Scope, turn: Turn): Promise<LiftPage> {
  const liftId = turn.lift_id
  const content = await getVersion(scope, liftId, turn.content_version)
  const answers = await scope.db
    .selectFrom('responses')
    .select(['prompt_id', 'value', 'score', 'visibility', 'submitted_at'])
    .where('member_id', '=', turn.member_id)
    .where('lift_id', '=', liftId)
    .where('is_current', '=', true)
    .execute()
  const promised = await readPromises(scope, content.prompts)
  return {
    ...common(liftId, content),
    journey: { id: turn.journey_id, name: turn.journey_name },
    sponsor: await readSponsor(scope, turn.sponsor_id),
    prompts: content.prompts.map((prompt) =>
      toPagePrompt(
        { ...prompt, visibility: promised.get(prompt.id) ?? prompt.visibility },
        answers.find((answer) => answer.prompt_id === prompt.id),
      ),
    ),
    is_test: false,
    state: turn.state,
    completed_at: turn.completed_at?.toISOString() ?? null,
    closes_at: turn.closes_at?.toISOString() ?? null,
    is_closed: isClosedFor(turn),
    ...(await progressOf(scope, turn)),
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
async function readPromises({ db }: Scope, prompts: LiftContent['prompts']) {
  const { rows } = await sql<Pick<Prompt, 'id' | 'visibility'>>`
    select id, narrower_visibility(sent, prompt_visibility(id)) as visibility
    from unnest(${prompts.map(({ id }) => id)}::bigint[], ${prompts.map((one) => one.visibility)}::text[])
      as asked (id, sent)`.execute(db)
  return new Map(rows.map(({ id, visibility }) => [id, visibility]))
}

export const isClosedFor = (turn: Pick<Turn, 'closes_at' | 'state'>, now = new Date()): boolean =>
  turn.state === 'expired' || (turn.closes_at !== null && turn.closes_at < now)

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
    is_closed: false,
    progress: { completed: 0, total: 0 },
    next: null,
  }
}

const common = (id: number, { title, est_minutes, completion_rule, blocks }: LiftContent) => ({
  id,
  title,
  est_minutes,
  completion_rule,
  blocks,
})

type Answer = { value: unknown; score: number | null; visibility: string; submitted_at: Date }

function toPagePrompt(prompt: Prompt, answer: Answer | undefined): PagePrompt {
  const { id, position, kind, text, help, required, visibility } = prompt
  const chosen = prompt.options.filter((option) => [answer?.value].flat().includes(option.id))
  return {
    id,
    position,
    kind,
    text,
    help,
    required,
    visibility: (answer?.visibility ?? visibility) as PagePrompt['visibility'],
    // A retired one is still named where it was chosen.
    options: prompt.options
      .filter((option) => !option.retired || chosen.includes(option))
      .map((option) => ({ id: option.id, text: option.text })),
    answer: answer
      ? {
          value: answer.value,
          ...judged(prompt, answer.value, chosen),
          submitted_at: answer.submitted_at.toISOString(),
        }
      : null,
  }
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

/** How far the learner is in the journey, and what comes next. */
async function progressOf({ db }: Scope, turn: Turn): Promise<Pick<LiftPage, 'progress' | 'next'>> {
  const turns = await db
    .selectFrom('occurrences as o')
    .innerJoin('lifts as l', 'l.id', 'o.lift_id')
    .select(['o.state', 'o.due_at', 'l.title', 'l.position'])
    .where('o.member_id', '=', turn.member_id)
    .where('o.state', '!=', 'cancelled')
    .orderBy('o.due_at', (order) => order.asc().nullsLast())
    .orderBy('l.position')
    .execute()
  const next = turns.find((one) => one.state === 'planned')
  return {
    progress: { completed: turns.filter((one) => one.state === 'completed').length, total: turns.length },
    next: next ? { title: next.title, due_at: next.due_at?.toISOString() ?? null } : null,
  }
}
