/** Answers with names to the questions of one lift, as far as these promised. */
import type { PromptFigures } from '#app/domain/analytics/figures.ts'
import { isNarrowed } from '#app/domain/analytics/filter-names.ts'
import type { AnalyticsSearch } from '#app/domain/analytics/query.ts'
import type { Response, ResponsePage } from '#app/domain/responses/response.ts'
import { Day } from '#app/ui/day.tsx'
import { Link } from '#app/ui/link.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { NoRows } from '#app/ui/list/no-rows.tsx'
import { Pager } from '#app/ui/list/pager.tsx'
import { useSearchLink } from '#app/ui/list/search.ts'
import { type Column, DataTable } from '#app/ui/list/table.tsx'
import { ScoreOf } from '#app/ui/score-of.tsx'

type AnswersProps = {
  answers: ResponsePage
  search: AnalyticsSearch
  prompts: readonly PromptFigures[]
  mayRemind: boolean
}

export function Answers({ answers, search, prompts, mayRemind }: AnswersProps) {
  const link = useSearchLink()
  const asked = prompts.find(({ prompt_id }) => prompt_id === search.prompt_id)
  return (
    <section className="report-prompt" aria-labelledby="answers">
      <h2 id="answers">Answers</h2>
      {mayRemind && search.journey && search.lift ? (
        <p>
          <Link to={`/lljs/${search.journey}/lifts/${search.lift}/remind`}>
            Remind those who have not answered
          </Link>
        </p>
      ) : null}
      {search.prompt_id ? (
        <p>
          To “<bdi>{asked?.text ?? 'one question'}</bdi>”.{' '}
          <Link to={`${link({ prompt_id: null, page: null })}#answers`}>All questions of this lift</Link>
        </p>
      ) : null}
      <FilterBar q={search.q} placeholder="Search names and answers" />
      {answers.data.length > 0 ? (
        <DataTable caption="Answers by learner" columns={columnsOf(search)} rows={answers.data} rowKey="id" />
      ) : (
        <NoRows
          pagination={answers.pagination}
          title={search.q || isNarrowed(search) ? 'No results' : 'No answers to read yet'}
          hint={
            search.q
              ? 'No name and no answer contains these words.'
              : isNarrowed(search)
                ? 'No answer that you can read matches these filters.'
                : 'Here you read the answers that their questions let you read.'
          }
        />
      )}
      <Pager pagination={answers.pagination} />
    </section>
  )
}

const columnsOf = ({ journey, prompt_id }: AnalyticsSearch): readonly Column<Response>[] => [
  {
    key: 'name',
    label: 'Learner',
    render: ({ user_id, name, exclude_data }) => (
      <>
        {journey ? (
          <Link to={`?type=by_user&journey=${journey}&user=${user_id}`}>
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi>{name}</bdi>
        )}
        {exclude_data ? <span className="report-quiet"> (not in the figures)</span> : null}
      </>
    ),
  },
  ...(prompt_id ? [] : [{ key: 'question', label: 'Question' } satisfies Column<Response>]),
  {
    key: 'words',
    label: 'Answer',
    render: ({ words }) => (
      <span className="report-said" dir="auto">
        {words}
      </span>
    ),
  },
  {
    key: 'points',
    label: 'Score',
    render: (answer) => <ScoreOf answer={answer} of={`${answer.name}, ${answer.question}`} />,
  },
  { key: 'submitted_at', label: 'When', render: ({ submitted_at }) => <Day at={submitted_at} timed /> },
]
