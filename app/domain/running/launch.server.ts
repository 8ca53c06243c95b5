/** Launching a journey: its obstacles, and the plan of every learner's occurrences. */
import { sql } from 'kysely'
import { findNeverOpen } from '../assessments/never-open.server.ts'
import { record } from '../audit/audit.server.ts'
import { invalid, Refusal } from '../errors.ts'
import type { Journey, LaunchChoice, LaunchProblem } from '../journeys/journey.ts'
import { getJourney, requireEditable } from '../journeys/journeys.server.ts'
import { listCategories } from '../journeys/tenant-settings.server.ts'
import { problemsOfFiles } from '../lifts/block-files.server.ts'
import type { Block } from '../lifts/blocks.ts'
import type { Lift } from '../lifts/lift.ts'
import { listLifts } from '../lifts/lifts.server.ts'
import { keepVersion } from '../lifts/versions.server.ts'
import { notify } from '../notifications/notifications.server.ts'
import { listSponsorIds, welcomeSponsors } from '../participants/welcome-sponsors.server.ts'
import { countLearners } from '../planning/learners.server.ts'
import { findPastLifts } from '../planning/past-lifts.server.ts'
import { planForAll } from '../planning/runs/plan-runs.server.ts'
import { findStranded } from '../planning/validate-rule.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { othersByPath } from './lifecycle.server.ts'
import { findWarnings, type Told, type Warning } from './message-warnings.server.ts'

export type Prospect = {
  problems: LaunchProblem[]
  past: PlannableLift[]
  withLaunch: PlannableLift[]
  learners: number
  warnings: Warning[]
}
type PlannableLift = Pick<Lift, 'id' | 'title' | 'schedule'>
/** At most this many are listed; nobody reads more. */
const MAX_EMPTY = 20

export async function prospectLaunch(scope: Scope, journey: Journey): Promise<Prospect> {
  const lifts = await listOutlines(scope, journey.id)
  const ready = lifts.filter((lift) => lift.status === 'ready')
  const learners = await countLearners(scope, journey)
  const past = await findPastLifts(scope, journey, ready)
  const problems: LaunchProblem[] = []
  const problem = (code: LaunchProblem['code'], message: string, lift_id: number | null = null) =>
    problems.push({ code, message, lift_id })

  if (ready.length === 0) problem('no_lift', 'Add a lift and mark it ready.')
  if (learners === 0) problem('no_learner', 'Add at least one learner.')
  if (!journey.category) problem('category', 'Choose a category.')
  else if (!(await listCategories(scope, journey.sub_tenant_id)).includes(journey.category))
    problem('category', `The category “${journey.category}” no longer exists; choose another one.`)
  for (const lift of ready.filter((one) => one.is_empty).slice(0, MAX_EMPTY))
    problem('message', `“${lift.title}” is empty: give it some text or a question.`, lift.id)
  for (const { id, title, why } of (await findUnshown(scope, ready)).slice(0, MAX_EMPTY))
    problem('file', `“${title}” has a block whose file can’t be shown: ${why}`, id)
  for (const { id, message } of findStranded(lifts).slice(0, MAX_EMPTY)) problem('waits', message, id)
  for (const { name } of await findNeverOpen(scope, journey))
    problem('assessment', `“${name}” would close before anybody could fill it in: choose a later end.`)
  const withLaunch = ready.filter(({ schedule }) => schedule.kind === 'manual' && schedule.at_launch)
  return { problems, past, withLaunch, learners, warnings: await findWarnings(scope, journey.id, ready) }
}

type Outline = PlannableLift & Told & { position: number; status: string; is_empty: boolean; blocks: Block[] }

async function listOutlines({ db }: Scope, journeyId: number): Promise<Outline[]> {
  const { rows } = await sql<Outline>`
    select l.id, l.title, l.schedule, l.position, l.status, l.blocks = '[]' and not exists (select from prompts p
      where p.tenant_id = l.tenant_id and p.lift_id = l.id and p.retired_on is null) as is_empty,
      case when l.status = 'ready' and l.blocks @? '$[*].src' then l.blocks else '[]' end as blocks,
      case when l.status = 'ready' then l.sms_text || ' ' || l.email_subject else '' end as message,
      array(select p.text from prompts p where p.tenant_id = l.tenant_id and p.lift_id = l.id
        and p.retired_on is null and l.status = 'ready' order by p.position) as questions
    from lifts l where l.journey_id = ${journeyId} order by l.position`.execute(db)
  return rows
}

/** Lifts with a file whose type the block cannot show, which an imported journey can have. */
async function findUnshown(scope: Scope, lifts: readonly Outline[]) {
  const parts = lifts.flatMap(({ id, title, blocks }) => blocks.map((block) => ({ id, title, block })))
  const problems = await problemsOfFiles(
    scope,
    parts.map(({ block }) => block),
  )
  const found = new Map<number, { id: number; title: string; why: string }>()
  for (const { at, why } of problems) {
    const part = parts[at]
    if (part && !found.has(part.id)) found.set(part.id, { id: part.id, title: part.title, why })
  }
  return [...found.values()]
}

const FIELD_OF: Record<LaunchProblem['code'], string> = {
  no_lift: 'lifts',
  no_learner: 'members',
  category: 'category',
  past_lifts: 'skip_past',
  prompt: 'lifts',
  message: 'lifts',
  file: 'lifts',
  waits: 'lifts',
  assessment: 'assessments',
  recipients: 'expected_recipients',
  status: 'status',
}

export async function launchJourney(scope: Scope, id: number, input: LaunchChoice): Promise<Journey> {
  const draft = await requireEditable(scope, id)
  if (draft.status !== 'draft') throw new Refusal(409, `This journey is ${draft.status} already.`)
  const { problems, past, learners } = await prospectLaunch(scope, draft)
  const ready = (await listLifts(scope, id)).filter((lift) => lift.status === 'ready')
  if (past.length > 0 && input.skip_past === undefined)
    for (const lift of past)
      problems.push({
        code: 'past_lifts',
        message: `The time of “${lift.title}” has passed: skip it, or send it now.`,
        lift_id: lift.id,
      })
  if (input.expected_recipients !== undefined && input.expected_recipients !== learners)
    problems.push({
      code: 'recipients',
      message: `There are ${learners} learners now, not ${input.expected_recipients}.`,
      lift_id: null,
    })
  if (problems.length > 0) throw invalid(byField(problems))

  await scope.db
    .updateTable('journeys')
    .set({
      status: 'scheduled',
      launched_at: sql`scope_now()`,
      launched_now: input.send_now ?? false,
      updated_on: sql`scope_now()`,
      lock_version: sql`lock_version + 1`,
    })
    .where('id', '=', id)
    .execute()
  for (const lift of ready) await keepVersion(scope, lift)
  await planForAll(
    scope,
    id,
    {
      kind: 'launch',
      past: input.skip_past ? 'skip' : input.send_now ? 'send_now' : 'one_a_day',
      liftIds: ready.map((lift) => lift.id),
      moment: nowIn(scope),
    },
    { lifts: ready.length },
  )
  await record(scope, 'journey.launched', { type: 'journey', id }, { learners })
  const journey = await getJourney(scope, id)
  // Learners are notified when they are planned.
  const sponsors = new Set(await listSponsorIds(scope, id))
  await welcomeSponsors(scope, journey, [...sponsors])
  const content = { title: journey.name, message: `The learning journey “${journey.name}” was launched.` }
  for (const { path, people } of await othersByPath(scope, journey)) {
    const others = people.filter((person) => !sponsors.has(person))
    await notify(scope, others, {
      notification_type: 'launch',
      content: { ...content, ...(path && { path }) },
    })
  }
  return journey
}

function byField(problems: readonly LaunchProblem[]): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  for (const { code, message } of problems) {
    const name = FIELD_OF[code]
    fields[name] = [...(fields[name] ?? []), message]
  }
  return fields
}
