import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { listOwedForms } from '#app/api/contract/assessments.ts'
import { getLearnerJourney } from '#app/api/contract/learner.ts'
import type { LearnerLift } from '#app/domain/participants/learner-journey.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { zoneHere } from '#app/domain/users/clock.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { tenantNow } from '#app/routes/tenant-clock.server.ts'
import { Badge, type Tone } from '#app/ui/badge.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { Day } from '#app/ui/day.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Link } from '#app/ui/link.tsx'
import { OwedList } from '#app/ui/owed-list.tsx'
import { Page } from '#app/ui/page.tsx'
import { type PreviewLift, readPreview } from './learner-preview.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${isolated(data?.journey.name ?? 'Your journey')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { api } = visitor
  const id = String(args.params.journeyId)
  const journey = await readJourney(api, id, () => tenantNow(args, visitor))
  const owed = journey.is_preview ? [] : (await api(listOwedForms, { journey: id })).data
  return { journey, owed, zone: zoneHere(await readCurrentUser(args, visitor)) }
}

/** For authors who do not take part: the preview, as every learner sees it before answering. */
async function readJourney(api: ApiClient, id: string, now: () => Promise<Date>) {
  try {
    const journey = await api(getLearnerJourney, { id })
    return { ...journey, is_preview: false, whose: null }
  } catch (refusal) {
    if (!(refusal instanceof Response)) throw refusal
    const preview = await readPreview(api, id, await now()).catch(orRefused)
    if (preview) return preview
    throw refusal
  }
}

/** People who may not edit it either get the same answer as for a missing journey. */
function orRefused(error: unknown): null {
  if (error instanceof Response) return null
  throw error
}

export default function ShowLearnerJourney() {
  const { journey, owed, zone } = useLoaderData<typeof loader>()
  const { lifts, completed } = journey
  const next = journey.is_preview ? undefined : lifts.find((lift) => lift.state === 'open')
  return (
    <Page
      title={journey.name}
      lead={journey.description || 'What you are learning, and what is still to come.'}
      action={next ? <ButtonLink to={`/lift/${next.id}`}>Go on: {isolated(next.title)}</ButtonLink> : null}
      narrow
    >
      {journey.is_preview ? (
        <p role="note">
          This is what a learner sees, without anybody’s answers. Each lift opens its test page.{' '}
          {journey.whose
            ? `The days are those of ${journey.whose.name}, the first of its learners. `
            : 'This journey has no participants yet, so each lift shows its rule instead of a day. '}
          <Link to={`/lljs/${journey.id}/schedule`}>Back to the schedule</Link>
        </p>
      ) : null}
      <p>
        <progress value={completed} max={Math.max(lifts.length, 1)} aria-label="Your progress" /> {completed}{' '}
        of {lifts.length} completed{journey.sponsor ? ` · your sponsor is ${isolated(journey.sponsor)}` : ''}
        {journey.status === 'paused' ? ' · paused at the moment' : ''}
      </p>
      {journey.has_assessments ? (
        <p>
          <Link to={`/lljs/${journey.id}/assessments/me`}>Your assessments</Link>
        </p>
      ) : null}
      {owed.length > 0 ? (
        <section className="section" aria-labelledby="owed">
          <h2 id="owed">Assessments</h2>
          <OwedList items={owed} zone={zone} />
        </section>
      ) : null}
      {lifts.length > 0 ? (
        <ol className="timeline">
          {lifts.map((lift) => (
            <li key={lift.id} className="timeline-lift">
              <LiftOfLearner
                lift={lift}
                zone={journey.whose?.zone ?? zone}
                href={journey.is_preview ? `/lift/t/${lift.id}` : `/lift/${lift.id}`}
                isPreview={journey.is_preview}
              />
            </li>
          ))}
        </ol>
      ) : (
        <Empty
          title="Nothing yet"
          hint={
            journey.is_preview
              ? 'Lifts that are ready appear here.'
              : 'As soon as a lift is planned for you, it appears here.'
          }
        />
      )}
    </Page>
  )
}

const STATES: Record<LearnerLift['state'], { tone: Tone; word: string }> = {
  coming: { tone: 'neutral', word: 'To come' },
  open: { tone: 'accent', word: 'Waiting for you' },
  completed: { tone: 'success', word: 'Completed' },
  closed: { tone: 'warning', word: 'Closed' },
}

/** Includes lifts that will never come because another was not completed: there is nothing to read. */
const isToCome = ({ state, due_at }: LearnerLift) =>
  state === 'coming' || (state === 'closed' && due_at === null)

type LiftProps = { lift: LearnerLift & Partial<PreviewLift>; zone: string; href: string; isPreview: boolean }

function LiftOfLearner({ lift, zone, href, isPreview }: LiftProps) {
  const { tone, word } = STATES[lift.state]
  return (
    <>
      <h2 className="timeline-title">
        {isToCome(lift) && !isPreview ? isolated(lift.title) : <Link to={href}>{isolated(lift.title)}</Link>}
        <Badge tone={tone}>{word}</Badge>
      </h2>
      <p className="timeline-facts">
        {lift.est_minutes} min{lift.required ? '' : ' · optional'} · <When lift={lift} zone={zone} />
      </p>
    </>
  )
}

function When({ lift, zone }: Pick<LiftProps, 'lift' | 'zone'>) {
  if (lift.completed_at)
    return (
      <>
        done <Day at={lift.completed_at} zone={zone} />
      </>
    )
  if (lift.rule) return <>{lift.rule}</>
  if (!lift.due_at) return lift.state === 'closed' ? <>waited for a lift that closed</> : <>comes later</>
  return (
    <>
      {lift.state === 'coming' ? 'comes' : 'since'} <Day at={lift.due_at} zone={zone} />
      {lift.closes_at ? (
        <>
          {' '}
          · {lift.state === 'closed' ? 'closed' : 'closes'} <Day at={lift.closes_at} zone={zone} timed />
        </>
      ) : null}
    </>
  )
}
