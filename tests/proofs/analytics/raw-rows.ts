/** Random journeys in every state, as rows: the product is asked about them, and they are counted separately. */
import type { Chance } from './chance.ts'

const DAY = 86_400_000
const VISIBILITIES = ['admins', 'admins', 'sponsor', 'aggregate_only', 'learner_only'] as const
const OCCURRENCE_STATES = [
  'planned',
  'held',
  'due',
  'sent',
  'opened',
  'responded',
  'completed',
  'cancelled',
] as const
const MORE_STATES = ['sent', 'opened', 'completed', 'expired', 'suppressed'] as const
const DISPATCH_STATES = [
  'planned',
  'claimed',
  'sending',
  'failed',
  'unknown',
  'suppressed',
  'expired',
] as const
const KINDS = [
  'single_choice',
  'scale',
  'number',
  'confidence',
  'true_false',
  'short_text',
  'multiple_choice',
  'ranking',
  'long_text',
  'commitment',
] as const
const SCORED_BY = ['none', 'sponsor', 'author'] as const
/** Reasons that carriers and the product give; some give none. */
const REASONS = ['smtp:550', 'sms:30005', 'number_opted_out', 'closed', null] as const

export type Journey = {
  id: number
  author_id: number
  sub_tenant_id: string | null
  name: string
  status: string
}
export type Objective = { id: number; journey_id: number; code: string }
export type Lift = { id: number; journey_id: number; position: number; title: string; objectives: number[] }
export type Prompt = {
  id: number
  lift_id: number
  kind: (typeof KINDS)[number]
  visibility: string
  scoring: (typeof SCORED_BY)[number]
  max_score: number
  objectives: number[]
}
export type Version = { lift_id: number; version: number; prompts: number[] }
export type Member = {
  id: number
  journey_id: number
  user_id: number
  role: 'learner' | 'facilitator'
  exclude_data: boolean
  left_at: Date | null
}
export type Occurrence = {
  id: number
  journey_id: number
  lift_id: number
  member_id: number
  state: string
  content_version: number
  due_at: Date | null
  opened_at: Date | null
  first_response_at: Date | null
  completed_at: Date | null
  closes_at: Date | null
}
export type Dispatch = {
  id: number
  occurrence_id: number
  kind: string
  seq: number
  channel: string
  state: string
  sent_at: Date | null
  accepted_at: Date | null
  delivered_at: Date | null
  error_code: string | null
}
export type Response = {
  id: number
  member_id: number
  lift_id: number
  prompt_id: number
  value: unknown
  visibility: string
  is_current: boolean
  submitted_at: Date
  score: number | null
  scored_at: Date | null
  comment: string
}
export type RawRows = {
  journeys: Journey[]
  objectives: Objective[]
  lifts: Lift[]
  prompts: Prompt[]
  versions: Version[]
  members: Member[]
  occurrences: Occurrence[]
  dispatches: Dispatch[]
  responses: Response[]
}
type Cast = { users: number[]; authors: number[]; subs: (string | null)[]; now: Date }

/** Ids are assigned here, so that counting needs nothing from the database. */
export function drawRows(luck: Chance, journeys: number, cast: Cast): RawRows {
  const rows: RawRows = {
    ...{ journeys: [], objectives: [], lifts: [], prompts: [], versions: [] },
    ...{ members: [], occurrences: [], dispatches: [], responses: [] },
  }
  for (let nth = 0; nth < journeys; nth++) drawJourney(luck, rows, cast)
  return rows
}

const idOf = (rows: readonly unknown[]): number => 100_000 + rows.length

function drawJourney(luck: Chance, rows: RawRows, { users, authors, subs, now }: Cast): void {
  const journey_id = idOf(rows.journeys)
  rows.journeys.push({
    id: journey_id,
    author_id: luck.one(authors),
    sub_tenant_id: luck.one(subs),
    name: `Journey ${journey_id}`,
    status: luck.one(['active', 'active', 'paused', 'completed', 'archived']),
  })
  const objectives = Array.from({ length: luck.upTo(2) }, (_, nth) => {
    const id = idOf(rows.objectives)
    rows.objectives.push({ id, journey_id, code: `LO${nth}` })
    return id
  })
  const some = (share: number) => objectives.filter(() => luck.isTrue(share))
  const first = rows.lifts.length
  // One journey is wider than a page of the chart of learners by lifts.
  const many = rows.journeys.length === 1 ? 55 : 1 + luck.upTo(5)
  for (let position = 1; position <= many; position++) {
    const lift_id = idOf(rows.lifts)
    rows.lifts.push({ id: lift_id, journey_id, position, title: `Lift ${lift_id}`, objectives: some(0.3) })
    const prompts = Array.from({ length: luck.upTo(3) }, () => {
      const id = idOf(rows.prompts)
      const question = { id, lift_id, kind: luck.one(KINDS), visibility: luck.one(VISIBILITIES) }
      const worth = { scoring: luck.one(SCORED_BY), max_score: 1 + luck.upTo(9) }
      rows.prompts.push({ ...question, ...worth, objectives: some(0.3) })
      return id
    })
    rows.versions.push({ lift_id, version: 1, prompts: prompts.filter(() => luck.isTrue(0.7)) })
    rows.versions.push({ lift_id, version: 2, prompts })
  }
  const lifts = rows.lifts.slice(first)
  const people = users.filter(() => luck.isTrue(8 / users.length))
  for (const user_id of people) drawMember(luck, rows, lifts, { journey_id, user_id, now })
}

function drawMember(
  luck: Chance,
  rows: RawRows,
  lifts: readonly Lift[],
  { journey_id, user_id, now }: { journey_id: number; user_id: number; now: Date },
): void {
  const moment = (): Date => new Date(now.getTime() - luck.upTo(60 * 24) * 3_600_000 + 7)
  const member_id = idOf(rows.members)
  const role = luck.isTrue(0.9) ? 'learner' : 'facilitator'
  const left_at = luck.isTrue(0.15) ? moment() : null
  rows.members.push({ id: member_id, journey_id, user_id, role, exclude_data: luck.isTrue(0.15), left_at })
  for (const { id: lift_id } of lifts.filter(() => luck.isTrue(0.9))) {
    const id = idOf(rows.occurrences)
    const content_version = 1 + luck.upTo(1)
    const due = luck.isTrue(0.9) ? new Date(moment().getTime() + drawShift(luck)) : null
    const later = (): Date | null => {
      const date = new Date((due ?? now).getTime() + luck.upTo(200) * 3_600_000)
      return luck.isTrue(0.7) && date < now ? date : null
    }
    rows.occurrences.push({
      ...{ id, journey_id, lift_id, member_id, content_version, due_at: due },
      state: luck.one([...OCCURRENCE_STATES, ...MORE_STATES]),
      ...{ opened_at: later(), first_response_at: later(), completed_at: later() },
      closes_at: drawClose(luck, due),
    })
    drawDispatches(luck, rows, { occurrence_id: id, due: due ?? now, now })
    const asked = rows.versions.find((one) => one.lift_id === lift_id && one.version === content_version)
    for (const prompt_id of asked?.prompts ?? [])
      drawAnswers(luck, rows, { member_id, lift_id, prompt_id, moment })
  }
}

/** Some are in the future, and some longer ago than charts reach. */
const drawShift = (luck: Chance): number =>
  luck.isTrue(0.1) ? 70 * DAY : luck.isTrue(0.06) ? -luck.upTo(400) * DAY : 0
const drawClose = (luck: Chance, due: Date | null): Date | null =>
  due && luck.isTrue(0.5) ? new Date(due.getTime() + luck.upTo(300) * 3_600_000) : null

type Around = { occurrence_id: number; due: Date; now: Date }
/** A future occurrence has no dispatch yet. */
function drawDispatches(luck: Chance, rows: RawRows, { occurrence_id, due, now }: Around): void {
  const after = (from: Date) => new Date(Math.min(from.getTime() + luck.upTo(48) * 3_600_000, now.getTime()))
  const most = luck.upTo(3)
  for (let seq = 1; seq <= most; seq++) {
    const isTaken = luck.isTrue(0.6)
    const state = isTaken ? luck.one(['accepted', 'delivered', 'undelivered']) : luck.one(DISPATCH_STATES)
    const accepted_at = isTaken ? after(due) : null
    rows.dispatches.push({
      ...{ id: idOf(rows.dispatches), occurrence_id, seq, state, accepted_at },
      kind: luck.one(['lift', 'lift', 'reminder', 'resend', 'test']),
      channel: luck.one(['sms', 'email']),
      sent_at: accepted_at,
      delivered_at: state === 'delivered' && accepted_at ? after(accepted_at) : null,
      error_code: isTaken ? null : luck.one(REASONS),
    })
  }
}

const VALUES: Record<Prompt['kind'], (luck: Chance) => unknown> = {
  single_choice: (luck) => luck.one(['a', 'b', 'c']),
  multiple_choice: (luck) => ['a', 'b', 'c'].filter(() => luck.isTrue(0.5)),
  scale: (luck) => 1 + luck.upTo(4),
  confidence: (luck) => luck.upTo(10),
  number: (luck) => luck.upTo(1000) / 8,
  true_false: (luck) => luck.isTrue(0.5),
  short_text: (luck) => `Words ${luck.upTo(9)}`,
  long_text: (luck) => `Many words ${luck.upTo(9)}`,
  commitment: (luck) => ({ what: `do ${luck.upTo(9)} things`, by: luck.one([null, '2031-03-09']) }),
  ranking: (luck) =>
    luck.one([
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
      ['b', 'c'],
    ]),
}
const NARROWEST_FIRST = ['learner_only', 'aggregate_only', 'admins', 'sponsor']
/** Readers of an answer as promised when it was given, or fewer if the question has been narrowed since. */
const promised = (luck: Chance, { visibility }: Prompt): string => {
  const given: string = luck.isTrue(0.9) ? visibility : luck.one(VISIBILITIES)
  return NARROWEST_FIRST.find((one) => one === given || one === visibility) ?? visibility
}

type Asked = { member_id: number; lift_id: number; prompt_id: number; moment: () => Date }
function drawAnswers(luck: Chance, rows: RawRows, { member_id, lift_id, prompt_id, moment }: Asked): void {
  const prompt = rows.prompts.find((one) => one.id === prompt_id)
  if (!prompt || luck.isTrue(0.35)) return
  const times = Array.from({ length: 1 + luck.upTo(1) }, moment).sort((one, other) => +one - +other)
  for (const [nth, submitted_at] of times.entries()) {
    const isScored = prompt.scoring !== 'none' && luck.isTrue(0.6)
    rows.responses.push({
      ...{ id: idOf(rows.responses), member_id, lift_id, prompt_id, submitted_at },
      value: VALUES[prompt.kind](luck),
      visibility: promised(luck, prompt),
      is_current: nth === times.length - 1,
      score: isScored ? luck.upTo(8) / 8 : null,
      scored_at: isScored ? new Date(submitted_at.getTime() + luck.upTo(100) * 3_600_000) : null,
      comment: isScored ? luck.one(['', 'Well done.']) : '',
    })
  }
}
