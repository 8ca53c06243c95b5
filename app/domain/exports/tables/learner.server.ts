/** One learner of one journey, as a table: a row for each answer, and one for each lift without any. */

import { getLearnerResponses } from '../../analytics/learner-responses.server.ts'
import type { LearnerResponsesQuery } from '../../analytics/query.ts'
import { stateInWords } from '../../responses/lift-states.ts'
import type { AnsweredLift, LearnerAnswer } from '../../responses/response.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { AT_ONCE, rowOf, type Table, type Told, time } from './table.ts'

type Turn = { lift: AnsweredLift; answer: LearnerAnswer | null }

const COLUMNS: readonly Told<Turn>[] = [
  { head: 'Lift', cell: ({ lift }) => lift.title },
  { head: 'Lift number', cell: ({ lift }) => lift.lift_id },
  { head: 'State', cell: ({ lift }) => stateInWords(lift) + (lift.is_overdue ? ', overdue' : '') },
  { head: 'Due (UTC)', as: 'time', cell: ({ lift }) => time(lift.due_at) },
  { head: 'Opened (UTC)', as: 'time', cell: ({ lift }) => time(lift.opened_at) },
  { head: 'Answered (UTC)', as: 'time', cell: ({ lift }) => time(lift.responded_at) },
  { head: 'Completed (UTC)', as: 'time', cell: ({ lift }) => time(lift.completed_at) },
  { head: 'Question', cell: ({ answer }) => answer?.question ?? null },
  { head: 'Answer', cell: ({ answer }) => (answer ? (answer.words ?? hidden(answer)) : null) },
  { head: 'Points', cell: ({ answer }) => answer?.points ?? null },
  {
    head: 'Out of',
    cell: ({ answer }) => (answer && answer.points !== null ? answer.max_score : null),
  },
  { head: 'Comment', cell: ({ answer }) => answer?.comment || null },
]

const hidden = ({ visibility }: LearnerAnswer): string =>
  visibility === 'learner_only' ? '(only the learner can read it)' : '(only counted, together with others)'

export async function learnerTable(
  scope: Scope,
  {
    journey,
    user,
    ...query
  }: Omit<LearnerResponsesQuery, 'page' | 'per_page'> & { journey: number; user: number },
): Promise<Table> {
  const read = (page: number) =>
    getLearnerResponses(scope, journey, user, { ...query, page, per_page: AT_ONCE })
  const first = await read(1)
  async function* things() {
    for (let page = 1, { data, pagination } = first; ; { data, pagination } = await read(++page)) {
      for (const lift of data) {
        const answers = lift.answers.length > 0 ? lift.answers : [null]
        yield answers.map((answer) => rowOf(COLUMNS, { lift, answer }))
      }
      if (page >= pagination.total_pages) return
    }
  }
  return { name: 'Learner', columns: COLUMNS, total: first.pagination.total, things: things() }
}
