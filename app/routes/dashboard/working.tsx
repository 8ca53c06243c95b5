/** Today for administrators and authors: figures, four weeks, today's messages, who is behind, and open drafts. */
import { percent } from '#app/domain/analytics/rate.ts'
import { figures } from '#app/domain/text/figures.ts'
import type { Work } from '#app/domain/today/today.ts'
import { Link } from '#app/ui/link.tsx'
import { TrendChart } from '../analytics/charts/trend.tsx'
import { counted } from './counted.ts'
import { Behind, Leaving } from './today-lists.tsx'
import { UnderWay } from './under-way.tsx'

type WorkingProps = { work: Work; zone: string; may_create: boolean }

export function Working({ work, zone, may_create }: WorkingProps) {
  const hasHistory = work.weeks.some(({ counts }) => counts.assigned > 0)
  return (
    <>
      {hasHistory || work.running_total > 0 ? <Tiles work={work} /> : null}
      <Leaving leaving={work.leaving} zone={zone} />
      <Behind behind={work.behind} />
      {hasHistory ? (
        <section className="section charts" aria-label="Four weeks">
          <TrendChart trend={{ as_of: '', weeks: work.weeks }} />
        </section>
      ) : null}
      <UnderWay work={work} may_create={may_create} />
    </>
  )
}

function Tiles({ work: { weeks, leaving, behind } }: { work: Work }) {
  const [before, now] = weeks.slice(-2)
  if (!before || !now) return null
  const { response } = now
  const failed = before.counts.failed + now.counts.failed
  const unknown = before.counts.unknown + now.counts.unknown
  return (
    <ul className="tiles today" aria-label="Today">
      <Figure
        title="Answered this week"
        figure={percent(response)}
        hint={
          response.d > 0
            ? `${figures(response.n)} of ${figures(response.d)} due since Monday`
            : 'Nothing due yet this week'
        }
        to={`/analytics/explain?figure=response&from=${now.week}`}
      />
      <Figure
        title="Going out today"
        figure={counted(leaving.lifts + leaving.reminders)}
        hint={dispatchesOf(leaving)}
        to="#leaving"
      />
      <Figure
        title="Behind"
        figure={counted(behind.people)}
        hint={
          behind.people === 0
            ? 'Nobody owes a lift that was due over 3 days ago'
            : `${behind.people === 1 ? 'A learner owes' : 'Learners owe'} a lift that was due over 3 days ago`
        }
        to={behind.people > 0 ? '#behind' : undefined}
      />
      <Figure
        title="Failed"
        figure={figures(failed + unknown)}
        hint={
          failed + unknown === 0
            ? 'No failed messages since Monday of last week'
            : `${figures(failed)} not sent${unknown > 0 ? `, ${figures(unknown)} unconfirmed` : ''}, of those due since Monday of last week`
        }
        to={failed > 0 ? `/analytics?from=${before.week}` : unknown > 0 ? '/messages/unconfirmed' : undefined}
      />
    </ul>
  )
}

type FigureProps = { title: string; figure: string; hint: string; to: string | undefined }

function Figure({ title, figure, hint, to }: FigureProps) {
  return (
    <li className="tile">
      <span className="tile-hint">{to ? <Link to={to}>{title}</Link> : title}</span>
      <span className="today-figure">{figure}</span>
      <span className="tile-hint">{hint}</span>
    </li>
  )
}

function dispatchesOf({ lifts, reminders }: Work['leaving']): string {
  const some = (many: number, thing: string) =>
    many > 0 ? [`${figures(many)} ${many === 1 ? thing : `${thing}s`}`] : []
  const said = [...some(lifts, 'lift'), ...some(reminders, 'reminder')].join(' and ')
  if (said === '') return 'Nothing more is planned for today'
  return reminders > 0 ? `${said}; an answer ends its reminders` : `${said} until midnight`
}
