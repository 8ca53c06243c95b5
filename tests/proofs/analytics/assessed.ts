/** Random assessments, and the results of their objectives counted separately, with the interval integrated numerically. */
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { type Asker, asQuery, readAll } from './ask.ts'
import type { Filters } from './by-hand.ts'
import type { Chance } from './chance.ts'
import type { Member, RawRows } from './raw-rows.ts'

type Item = { id: number; assessment_id: number; objective: number | null; weight: number; steps: number }
type Form = {
  id: number
  journey_id: number
  assessment_id: number
  subject_id: number
  rater: 'self' | 'sponsor'
  state: string
  answers: Record<string, number | null>
  submitted_at: Date
}
type Assessment = { id: number; journey_id: number; phase: 'pre' | 'post' | 'follow_up' }
export type Assessed = { assessments: Assessment[]; items: Item[]; forms: Form[] }

const idOf = (rows: readonly unknown[]): number => 100_000 + rows.length

export function drawAssessments(luck: Chance, rows: RawRows, now: Date): Assessed {
  const drawn: Assessed = { assessments: [], items: [], forms: [] }
  const kinds = rows.journeys.flatMap(({ id }) =>
    (['pre', 'post', 'post', 'follow_up'] as const).map((phase) => ({ journey_id: id, phase })),
  )
  for (const one of kinds.filter(() => luck.isTrue(0.7))) drawAssessment(luck, drawn, rows, { ...one, now })
  return drawn
}

function drawAssessment(
  luck: Chance,
  drawn: Assessed,
  rows: RawRows,
  { journey_id, phase, now }: Omit<Assessment, 'id'> & { now: Date },
): void {
  const assessment_id = idOf(drawn.assessments)
  drawn.assessments.push({ id: assessment_id, journey_id, phase })
  const objectives = rows.objectives.filter((one) => one.journey_id === journey_id)
  const first = drawn.items.length
  const many = 1 + luck.upTo(3)
  for (let nth = 0; nth < many; nth++)
    drawn.items.push({
      ...{ id: idOf(drawn.items), assessment_id, weight: luck.upTo(4), steps: 2 + luck.upTo(5) },
      objective: objectives.length > 0 && luck.isTrue(0.8) ? luck.one(objectives).id : null,
    })
  const items = drawn.items.slice(first)
  const learners = rows.members.filter((one) => one.journey_id === journey_id && one.role === 'learner')
  const forms = learners.flatMap((member) =>
    (['self', 'sponsor'] as const).map((rater) => ({ member, rater })),
  )
  for (const about of forms.filter(() => luck.isTrue(0.85)))
    drawn.forms.push(drawForm(luck, drawn, items, { ...about, now }))
}

type About = { member: Member; rater: 'self' | 'sponsor'; now: Date }
const drawForm = (
  luck: Chance,
  { forms }: Assessed,
  items: readonly Item[],
  { member, rater, now }: About,
): Form => ({
  ...{ id: idOf(forms), journey_id: member.journey_id, subject_id: member.id, rater },
  assessment_id: items[0]?.assessment_id ?? 0,
  state: luck.isTrue(0.9) ? 'submitted' : 'in_progress',
  answers: Object.fromEntries(
    items.map(({ id, steps }) => [id, luck.isTrue(0.85) ? 1 + luck.upTo(steps - 1) : null]),
  ),
  // Each at a different moment.
  submitted_at: new Date(now.getTime() - (idOf(forms) * 1000 + luck.upTo(60 * 86_400) * 1000)),
})

export async function writeAssessments(
  admin: pg.Client,
  tenant: string,
  { assessments, items, forms }: Assessed,
) {
  const put = (table: string, columns: string, values: string, of: readonly object[]) =>
    admin.query(
      `insert into ${table} (tenant_id, ${columns}) overriding system value
       select $1, ${values} from jsonb_array_elements($2::jsonb) r`,
      [tenant, JSON.stringify(of)],
    )
  await put(
    'assessments',
    'id, journey_id, name, phase, opens, is_stale',
    `(r ->> 'id')::bigint, (r ->> 'journey_id')::bigint, 'How well', r ->> 'phase',
      '{"kind": "offset", "from": "start", "days": 0, "time": null}', false`,
    assessments,
  )
  await put(
    'assessment_items',
    'id, assessment_id, position, text, kind, objective_id, weight, anchors',
    `(r ->> 'id')::bigint, (r ->> 'assessment_id')::bigint, 1, 'How?', 'scale', (r ->> 'objective')::bigint,
      (r ->> 'weight')::numeric, array_fill(''::text, array[(r ->> 'steps')::int])`,
    items,
  )
  await put(
    'assessment_forms',
    'id, journey_id, assessment_id, subject_id, rater, rater_id, state, answers, submitted_at',
    `(r ->> 'id')::bigint, (r ->> 'journey_id')::bigint, (r ->> 'assessment_id')::bigint, (r ->> 'subject_id')::bigint,
      r ->> 'rater', (r ->> 'subject_id')::bigint, r ->> 'state', r -> 'answers', (r ->> 'submitted_at')::timestamptz`,
    forms,
  )
}

/** The rows, and which part of them is asked about. */
type Drawn = { rows: RawRows; assessed: Assessed; asked: Pick<Filters, 'journey' | 'lo_id' | 'as_of'> }
type Score = { score: number; at: number }

function scoreByHand(
  { assessed, asked }: Drawn,
  objective: number,
  subject: number,
  phase: string,
  rater: string,
): Score | null {
  const kinds = assessed.assessments.filter((one) => one.phase === phase).map((one) => one.id)
  const forms = assessed.forms.filter(
    (one) =>
      one.subject_id === subject &&
      one.rater === rater &&
      one.state === 'submitted' &&
      (!asked.as_of || one.submitted_at <= asked.as_of) &&
      kinds.includes(one.assessment_id),
  )
  let [all, answered, sum] = [0, 0, 0]
  for (const form of forms)
    for (const item of assessed.items) {
      if (item.assessment_id !== form.assessment_id || item.objective !== objective) continue
      all += item.weight
      const step = form.answers[item.id]
      if (typeof step !== 'number') continue
      answered += item.weight
      sum += (item.weight * (step - 1)) / (item.steps - 1)
    }
  if (answered === 0 || answered * 2 < all) return null
  return { score: sum / answered, at: Math.max(...forms.map((form) => form.submitted_at.getTime())) }
}

const COMPARED = {
  self_change: [
    ['pre', 'self'],
    ['post', 'self'],
  ],
  sponsor_change: [
    ['pre', 'sponsor'],
    ['post', 'sponsor'],
  ],
  gap_before: [
    ['pre', 'sponsor'],
    ['pre', 'self'],
  ],
  gap_after: [
    ['post', 'sponsor'],
    ['post', 'self'],
  ],
} as const

/** Compares what the API says about each objective; each returned line is a difference. */
export async function askAssessments(
  asker: Asker,
  drawn: Drawn,
): Promise<{ compared: number; differences: string[] }> {
  const found = { compared: 0, differences: [] as string[] }
  const query = asQuery(drawn.asked)
  const told = await readAll(asker.call, `/analytics/assessments?${query}`)
  const [got, wanted] = [told.rows.map((one) => one.objective_id).sort(), toldOf(asker, drawn)]
  if (!isDeepStrictEqual(got, wanted))
    found.differences.push(`${query}: objectives ${got} instead of ${wanted}`)
  for (const one of told.rows) {
    const wrong = NAMES.map((name) => [name, compareByHand(one[name], pairsOf(drawn, one, name))])
    found.compared += NAMES.filter((name) => one[name].counted > 0).length
    for (const [name, what] of [...wrong, ['learners', compareLearners(drawn, one)]])
      if (what) found.differences.push(`${query}: objective ${one.objective_id}, ${name}: ${what}`)
  }
  return found
}

/** Objectives that some item measures, in the asker's reach. */
function toldOf({ author, sub }: Asker, { rows, assessed, asked }: Drawn): number[] {
  const reached = rows.journeys
    .filter(
      (one) => (author === null || one.author_id === author) && (sub === null || one.sub_tenant_id === sub),
    )
    .map((one) => one.id)
  return rows.objectives
    .filter(({ id, journey_id }) => reached.includes(journey_id) && (asked.lo_id ?? id) === id)
    .filter(({ journey_id }) => (asked.journey ?? journey_id) === journey_id)
    .filter(({ id }) => assessed.items.some((item) => item.objective === id))
    .map(({ id }) => id)
    .sort()
}

/** Learners who could have both forms: those who left without any could not. */
function compareLearners(
  { rows, assessed }: Drawn,
  one: { journey_id: number; learners: number },
): string | null {
  const wanted = rows.members
    .filter(
      ({ journey_id, role, exclude_data }) =>
        journey_id === one.journey_id && role === 'learner' && !exclude_data,
    )
    .filter(
      ({ id, left_at }) =>
        !left_at || assessed.forms.some((form) => form.subject_id === id && form.state === 'submitted'),
    ).length
  return one.learners === wanted ? null : `${one.learners} instead of ${wanted}`
}

function pairsOf(
  drawn: Drawn,
  of: { journey_id: number; objective_id: number },
  name: (typeof NAMES)[number],
): Pair[] {
  const [first, second] = COMPARED[name]
  return drawn.rows.members
    .filter((member) => member.journey_id === of.journey_id && member.role === 'learner')
    .flatMap((member) => {
      const before = scoreByHand(drawn, of.objective_id, member.id, first[0], first[1])
      const after = scoreByHand(drawn, of.objective_id, member.id, second[0], second[1])
      if (!before || !after) return []
      return [{ member, before: before.score, after: after.score, at: Math.max(before.at, after.at) }]
    })
}

const NAMES = ['self_change', 'sponsor_change', 'gap_before', 'gap_after'] as const
type Pair = { member: Member; before: number; after: number; at: number }
type Said = Record<
  'pairs' | 'counted' | 'before' | 'after' | 'difference' | 'low' | 'high' | 'd_z',
  number | null
>

function compareByHand(said: Said, pairs: Pair[]): string | null {
  const shown = wholeFives(pairs)
  const counts = [pairs.filter(({ member }) => !member.exclude_data).length, shown.length]
  if (said.pairs !== counts[0] || said.counted !== counts[1])
    return `${said.pairs}, ${said.counted} instead of ${counts}`
  if (shown.length === 0) return said.difference === null && said.before === null ? null : 'figures of nobody'
  return compareFigures(said, shown)
}

function wholeFives(pairs: Pair[]): Pair[] {
  const inOrder = pairs.sort((one, other) => one.at - other.at || one.member.id - other.member.id)
  const shown: Pair[] = []
  for (let start = 0; start + 5 <= inOrder.length; start += 5) {
    const five = inOrder.slice(start, start + 5)
    if (five.every(({ member }) => !member.exclude_data)) shown.push(...five)
  }
  return shown
}

const isNear = (got: number | null, wanted: number) => got !== null && Math.abs(got - wanted) < 1e-9

function compareFigures(said: Said, shown: readonly Pair[]): string | null {
  const mean = (of: (pair: Pair) => number) => shown.reduce((sum, pair) => sum + of(pair), 0) / shown.length
  const change = mean((pair) => pair.after - pair.before)
  const spread = mean((pair) => (pair.after - pair.before - change) ** 2)
  const deviation = Math.sqrt((spread * shown.length) / (shown.length - 1))
  const means = [mean((pair) => pair.before), mean((pair) => pair.after), change] as const
  const told = [said.before, said.after, said.difference] as const
  if (!means.every((wanted, nth) => isNear(told[nth] ?? null, wanted))) return `${told} instead of ${means}`
  if (deviation < 1e-9) return null
  if (!isNear(said.d_z, change / deviation)) return `d_z ${said.d_z} instead of ${change / deviation}`
  const reach = ((said.high ?? 0) - change) / (deviation / Math.sqrt(shown.length))
  const within = shareWithin(reach, shown.length - 1)
  if (Math.abs(within - 0.95) > 1e-9) return `an interval of ${within}`
  return isNear(said.low, 2 * change - (said.high ?? 0)) ? null : 'an interval that is not even'
}

/** The share of Student’s t distribution within this distance of its center, by Simpson’s rule. */
function shareWithin(reach: number, df: number): number {
  const curve = (t: number) => (1 + (t * t) / df) ** (-(df + 1) / 2)
  const area = (to: (s: number) => number, weight: (s: number) => number, end: number) => {
    const parts = 20_000
    const at = (nth: number) => (nth * end) / parts
    let sum = 0
    for (let nth = 0; nth <= parts; nth++) {
      const factor = nth === 0 || nth === parts ? 1 : nth % 2 === 1 ? 4 : 2
      sum += factor * curve(to(at(nth))) * weight(at(nth))
    }
    return (sum * end) / parts / 3
  }
  const inside = area(
    (t) => t,
    () => 1,
    reach,
  )
  // The whole area: with t as the tangent of an angle, the range is finite.
  const whole = area(
    (angle) => Math.tan(angle),
    (angle) => 1 / Math.cos(angle) ** 2,
    Math.PI / 2 - 1e-12,
  )
  return inside / whole
}
