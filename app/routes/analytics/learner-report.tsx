/** One learner of one journey: their lifts, the times, and their answers. */

import type { LearnerResponses } from '#app/domain/responses/response.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { AnsweredLiftReport } from '#app/ui/answered-lift.tsx'
import { Link } from '#app/ui/link.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { NoRows } from '#app/ui/list/no-rows.tsx'
import { Pager } from '#app/ui/list/pager.tsx'

type LearnerReportProps = { learner: LearnerResponses; q: string; isNarrowed: boolean }

export function LearnerReport({ learner, q, isNarrowed }: LearnerReportProps) {
  const { name, journey, sponsor, data, pagination } = learner
  return (
    <section className="report-prompt" aria-labelledby="learner">
      <h2 id="learner">
        <bdi>{name}</bdi> in{' '}
        <Link to={`?type=by_user&journey=${journey.id}`}>
          <bdi>{journey.name}</bdi>
        </Link>
      </h2>
      <p>
        {sponsor ? `Sponsor: ${isolated(sponsor)}.` : 'No sponsor.'}
        {learner.has_left ? ' They have left this journey; their answers stay.' : null}
        {learner.exclude_data ? ' They are not in the figures.' : null}
      </p>
      <FilterBar q={q} placeholder="Search lifts and answers" />
      {data.map((lift) => (
        <AnsweredLiftReport
          key={lift.lift_id}
          lift={lift}
          href={`?type=by_lift&journey=${journey.id}&lift=${lift.lift_id}`}
        />
      ))}
      {data.length === 0 ? (
        <NoRows
          pagination={pagination}
          title={q || isNarrowed ? 'No results' : 'No lifts yet'}
          hint={
            q
              ? 'No lift and no answer contains these words.'
              : isNarrowed
                ? 'No lift of theirs matches these filters.'
                : 'Lifts appear here once they are planned.'
          }
        />
      ) : null}
      <Pager pagination={pagination} />
    </section>
  )
}
