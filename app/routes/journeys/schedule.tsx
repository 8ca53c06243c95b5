import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { useSearchLink } from '#app/ui/search.ts'
import liftStylesheet from '../lift/lift.css?url'
import { JourneyBadge } from './journey-badge.tsx'
import stylesheet from './journeys.css?url'
import { changeSchedule, readSchedule } from './schedule.server.ts'
import { ScheduleAside } from './schedule-aside.tsx'
import { ScheduleDialogs } from './schedule-dialogs.tsx'
import { Timeline } from './timeline.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.timeline.journey.name ?? 'Schedule'} · Liftwell` },
]
export const links: LinksFunction = () =>
  [stylesheet, liftStylesheet].map((href) => ({ rel: 'stylesheet', href }))

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  return readSchedule(api, String(args.params.journeyId), args.request)
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  return changeSchedule(api, String(args.params.journeyId), args.request)
}

export default function ScheduleJourney() {
  const shown = useLoaderData<typeof loader>()
  const { timeline, mayEdit } = shown
  const { journey } = timeline
  const link = useSearchLink()
  return (
    <Page
      title={journey.name}
      lead={
        <>
          <JourneyBadge status={journey.status} /> {journey.category ?? 'No category'} · by{' '}
          {journey.author.name}
          {journey.may_edit && !mayEdit ? ' · can be read and copied, no longer changed' : ''}
        </>
      }
      action={mayEdit ? <ButtonLink to={link({ create: 'true' })}>Add lift</ButtonLink> : null}
    >
      <div className="schedule">
        <section aria-labelledby="lifts">
          <h2 id="lifts" className="hidden-words">
            Lifts
          </h2>
          <Timeline {...timeline} today={shown.today} mayEdit={mayEdit} />
        </section>
        <ScheduleAside timeline={timeline} />
      </div>
      <ScheduleDialogs {...shown} />
    </Page>
  )
}
