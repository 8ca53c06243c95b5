/** Peers' answers about learners: shown from a minimum number on, then only in multiples of it. */
import { sql } from 'kysely'
import { type Scope, tenantWide } from '../scope/scope.server.ts'
import { levelOf, StoredAnswers, scoreOfLevels } from './answer.ts'
import type { Assessment } from './assessment.ts'
import type { Peers } from './form.ts'

export type Said = {
  assessment_id: number
  subject_id: number
  state: string
  answers: unknown
}
export type PeersOf = Map<string, Peers>
export const peersKey = (assessmentId: number, subjectId: number): string => `${assessmentId} ${subjectId}`

/** Results by assessment and learner. The caller must have checked access; raters are not read. */
export async function readPeers(
  scope: Scope,
  assessments: readonly Assessment[],
  subjectIds: readonly number[],
): Promise<PeersOf> {
  // Participants see the peers' results together, but none of their forms.
  const { rows } = await tenantWide(scope, ({ db }) =>
    sql<Said>`
    select assessment_id, subject_id, state, answers from assessment_forms
    where rater = 'peers' and subject_id = any(${subjectIds}::bigint[])
      and assessment_id = any(${assessments.map((one) => one.id)}::bigint[])
      and state <> 'not_open' and (state <> 'closed' or not is_left)
    order by submitted_at nulls last, id`.execute(db),
  )
  return peersOf(assessments, rows)
}

export function peersOf(assessments: readonly Assessment[], rows: readonly Said[]): PeersOf {
  const byId = new Map(assessments.map((one) => [one.id, one]))
  const all = Map.groupBy(rows, (row) => peersKey(row.assessment_id, row.subject_id))
  return new Map(
    [...all].flatMap(([key, said]) => {
      const assessment = byId.get(said[0]?.assessment_id ?? 0)
      return assessment ? [[key, together(assessment, said)] as const] : []
    }),
  )
}

function together({ items, anonymous_min }: Assessment, said: readonly Said[]): Peers {
  const inSteps = <One>(all: readonly One[]) => wholeSteps(all, anonymous_min)
  const submitted = said.filter((one) => one.state === 'submitted')
  const counted = inSteps(submitted)
  const answers = counted.map((one) => StoredAnswers.parse(one.answers))
  const levels = items.flatMap((item) => {
    const given = inSteps(answers.flatMap((one) => levelOf(item, one[item.id]) ?? []))
    return given.length > 0 ? [{ item_id: item.id, level: mean(given), answers: given.length }] : []
  })
  return {
    asked: said.length,
    submitted: submitted.length,
    is_open: said.some((one) => one.state === 'open' || one.state === 'in_progress'),
    counted: counted.length,
    // Computed from the shown levels only: the mean of all scores would reveal hidden answers by the difference.
    score: scoreOfLevels(items, (item) => levels.find((one) => one.item_id === item.id)?.level ?? null),
    levels,
    // In an order that does not reveal when they were written.
    words: items.flatMap((item) =>
      item.kind === 'text'
        ? answers
            .flatMap((one) => one[item.id] ?? [])
            .map(String)
            .sort()
            .map((text) => ({ item_id: item.id, text }))
        : [],
    ),
  }
}

/** Counting each form or answer as it arrives would reveal it by the difference. */
const wholeSteps = <One>(all: readonly One[], step: number): One[] =>
  all.slice(0, Math.floor(all.length / step) * step)

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length
