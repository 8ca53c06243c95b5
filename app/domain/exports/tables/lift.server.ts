import { getByLift } from '../../analytics/by-lift.server.ts'
import type { PromptFigures } from '../../analytics/figures.ts'
import { listLiftResponses } from '../../analytics/lift-responses.server.ts'
import type { AnalyticsQuery, ResponseQuery } from '../../analytics/query.ts'
import type { Response } from '../../responses/response.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { AT_ONCE, rounded, rowOf, share, type Table, type Told, tableOfPages, time } from './table.ts'

type Spread = { prompt: PromptFigures; option: PromptFigures['options'][number] | null }

const QUESTIONS: readonly Told<Spread>[] = [
  { head: 'Question', cell: ({ prompt }) => prompt.text },
  { head: 'Question number', cell: ({ prompt }) => prompt.prompt_id },
  { head: 'Kind', cell: ({ prompt }) => inWords(prompt.kind) },
  { head: 'Who can read the answers', cell: ({ prompt }) => READERS[prompt.visibility] },
  { head: 'Answered', cell: ({ prompt }) => prompt.response.n },
  { head: 'Asked', cell: ({ prompt }) => prompt.response.d },
  { head: 'Mean', cell: ({ prompt }) => rounded(prompt.mean) },
  { head: 'Mean points', cell: ({ prompt }) => rounded(prompt.score?.mean ?? null) },
  { head: 'Answers counted below', cell: ({ prompt }) => prompt.counted },
  { head: 'Answer', cell: ({ option }) => option?.text ?? null },
  { head: 'Right', cell: ({ option }) => (option?.correct ? 'Yes' : null) },
  { head: 'Learners', cell: ({ option }) => option?.count ?? null },
  {
    head: 'Share of answers',
    as: 'share',
    cell: ({ prompt, option }) => (option ? share({ n: option.count, d: prompt.counted }) : null),
  },
  { head: 'Mean place', cell: ({ option }) => rounded(option?.mean_rank ?? null) },
]

const READERS: Record<PromptFigures['visibility'], string> = {
  learner_only: 'Only the learner',
  sponsor: 'The sponsor and those who run the journey',
  admins: 'Those who run the journey',
  aggregate_only: 'Nobody; they are only counted',
}

const inWords = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')

/** All questions are reported, as on the screen, whichever one is selected there. */
export async function questionsTable(scope: Scope, query: AnalyticsQuery): Promise<Table> {
  const { prompts } = await getByLift(scope, { ...query, prompt_id: undefined, page: 1, per_page: 1 })
  async function* things() {
    for (const prompt of prompts) {
      const options = prompt.options.length > 0 ? prompt.options : [null]
      yield options.map((option) => rowOf(QUESTIONS, { prompt, option }))
    }
  }
  return { name: 'Questions', columns: QUESTIONS, total: prompts.length, things: things() }
}

type Asked = Omit<ResponseQuery, 'page' | 'per_page'> & { lift: number }

export const answersTable = (scope: Scope, { lift, ...query }: Asked): Promise<Table> =>
  tableOfPages<Response>(
    'Answers',
    [
      { head: 'Learner', cell: ({ name }) => name },
      { head: 'Learner number', cell: ({ user_id }) => user_id },
      { head: 'In the figures', cell: ({ exclude_data }) => (exclude_data ? 'No' : 'Yes') },
      { head: 'Question', cell: ({ question }) => question },
      { head: 'Question number', cell: ({ prompt_id }) => prompt_id },
      { head: 'Answer', cell: ({ words }) => words },
      { head: 'Points', cell: ({ points }) => points },
      { head: 'Out of', cell: ({ points, max_score }) => (points === null ? null : max_score) },
      { head: 'Comment', cell: ({ comment }) => comment || null },
      { head: 'When (UTC)', as: 'time', cell: ({ submitted_at }) => time(submitted_at) },
    ],
    (page) => listLiftResponses(scope, lift, { ...query, page, per_page: AT_ONCE }, Number.POSITIVE_INFINITY),
  )
