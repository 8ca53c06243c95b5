/** The hint that an objective is measured by assessments, whose items no lift counts. */
import type { Overview } from '#app/domain/analytics/figures.ts'
import { Link } from '#app/ui/link.tsx'
import { counted } from './charts/words.ts'

type OnlyAssessedProps = { overview: Overview; journey: number | undefined }

export function OnlyAssessed({ overview: { assessment_items }, journey }: OnlyAssessedProps) {
  if (!assessment_items) return null
  return (
    <p className="report-aside">
      This objective is measured by {counted(assessment_items, 'assessment item')}, too, which these figures
      do not count. {journey ? <Link to={`/lljs/${journey}/assessments`}>Open the assessments</Link> : null}
    </p>
  )
}
