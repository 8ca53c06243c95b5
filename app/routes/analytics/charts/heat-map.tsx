/** Learners by lifts. The chart itself is a table: each cell has a word, a sign and a shade. */

import { CELL_WORDS, type Grid } from '#app/domain/analytics/pictures/pictures.ts'
import { percent } from '#app/domain/analytics/rate.ts'
import { figures } from '#app/domain/text/figures.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Link } from '#app/ui/link.tsx'
import { Pager } from '#app/ui/list/pager.tsx'
import { useSearchLink } from '#app/ui/list/search.ts'

export function HeatMap({ grid, journey }: { grid: Grid; journey: number }) {
  const { lifts, learners, done, pagination, lifts_pagination } = grid
  if (done.d === 0) return null
  return (
    <section className="chart heat" aria-labelledby="heat">
      <h2 id="heat" className="chart-title">
        {sentenceOf(done)}
      </h2>
      <ul className="heat-key" aria-label="What the signs mean">
        {Object.entries(CELL_WORDS).map(([cell, word]) => (
          <li key={cell}>
            <span className="heat-cell" data-cell={cell} aria-hidden="true" /> {word}
          </li>
        ))}
      </ul>
      <div className="heat-scroll">
        <table className="heat-table">
          <caption className="hidden-words">How far each learner is with each lift</caption>
          <thead>
            <tr>
              <th scope="col">Learner</th>
              {lifts.map(({ lift_id, title }, index) => (
                <th key={lift_id} scope="col">
                  <Link prefetch="none" to={`?type=by_lift&journey=${journey}&lift=${lift_id}`} title={title}>
                    {(lifts_pagination.current_page - 1) * lifts_pagination.per_page + index + 1}
                    <span className="hidden-words">{`. ${isolated(title)}`}</span>
                  </Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {learners.map((learner) => (
              <Row key={learner.user_id} {...{ learner, lifts, journey }} />
            ))}
          </tbody>
        </table>
      </div>
      <ol className="heat-lifts" start={(lifts_pagination.current_page - 1) * lifts_pagination.per_page + 1}>
        {lifts.map(({ lift_id, title }) => (
          <li key={lift_id}>
            <bdi>{title}</bdi>
          </li>
        ))}
      </ol>
      <LiftPages pagination={lifts_pagination} />
      {pagination.total_pages > 1 ? <Pager pagination={pagination} /> : null}
    </section>
  )
}

type RowProps = { learner: Grid['learners'][number]; lifts: Grid['lifts']; journey: number }

const Row = ({ learner: { user_id, name, cells }, lifts, journey }: RowProps) => (
  <tr>
    <th scope="row">
      <Link prefetch="none" to={`?type=by_user&journey=${journey}&user=${user_id}`}>
        <bdi>{name}</bdi>
      </Link>
    </th>
    {cells.map((cell, index) => (
      <td
        key={lifts[index]?.lift_id}
        className="heat-cell"
        data-cell={cell ?? 'none'}
        title={`${isolated(name)}, ${isolated(lifts[index]?.title ?? '')}: ${cell ? CELL_WORDS[cell] : 'Nothing due'}`}
      >
        {cell ? CELL_WORDS[cell] : 'Nothing due'}
      </td>
    ))}
  </tr>
)

function sentenceOf(done: Grid['done']): string {
  if (done.n === done.d) return 'Every learner has completed all that was due'
  if (done.n === 0) return 'No learner has completed all that was due'
  return `${percent(done)} of learners (${figures(done.n)} of ${figures(done.d)}) have completed all that was due for them`
}

function LiftPages({
  pagination: { current_page, total_pages, total },
}: {
  pagination: Grid['lifts_pagination']
}) {
  const link = useSearchLink()
  if (total_pages < 2) return null
  const to = (page: number) => link({ lifts_page: String(page) })
  return (
    <p className="row-actions">
      {current_page > 1 ? <Link to={to(current_page - 1)}>Earlier lifts</Link> : null}
      <span>{`${figures(total)} lifts`}</span>
      {current_page < total_pages ? <Link to={to(current_page + 1)}>Later lifts</Link> : null}
    </p>
  )
}
