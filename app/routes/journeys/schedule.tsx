import {
  type ActionFunctionArgs,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { may } from '#app/domain/access/permissions.ts'
import { timeOfDay } from '#app/domain/date-format.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { useSearchLink } from '#app/ui/search.ts'
import liftStylesheet from '../lift/lift.css?url'
import { JourneyBadge } from './journey-badge.tsx'
import { movedAddress } from './schedule/moved-address.ts'
import { changeSchedule, readSchedule } from './schedule.server.ts'
import { ScheduleAside } from './schedule-aside.tsx'
import { ScheduleDialogs } from './schedule-dialogs.tsx'
import { Timeline } from './timeline.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.timeline.journey.name ?? 'Schedule'} · Liftwell` },
]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: liftStylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const { api, actor } = await requireDashboard(args)
  const moved = movedAddress(String(args.params.journeyId), new URL(args.request.url).searchParams)
  if (moved) throw redirect(moved)
  const shown = await readSchedule(api, String(args.params.journeyId), args.request)
  return { ...shown, hoursHref: may(actor, 'company:edit') ? '/settings/company' : null }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const moved = movedAddress(String(args.params.journeyId), new URL(args.request.url).searchParams)
  if (moved) return redirect(moved, 307)
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
          <QuietHours {...timeline.quiet_hours} changeHref={shown.hoursHref} />
          <Timeline {...timeline} today={shown.today} mayEdit={mayEdit} />
        </section>
        <ScheduleAside timeline={timeline} />
      </div>
      <ScheduleDialogs {...shown} />
    </Page>
  )
}

/** Where nobody knows a learner's zone, they rest longer; the preview says so person by person. */
function QuietHours({ from, to, changeHref }: { from: string; to: string; changeHref: string | null }) {
  return (
    <p className="timeline-facts timeline-quiet">
      {`Quiet hours are ${timeOfDay(from)} to ${timeOfDay(to)} where each learner is. No text leaves then, and e-mails only where you send them by hand or launch with “Now”. `}
      {changeHref ? (
        <Link to={changeHref}>Change the quiet hours</Link>
      ) : (
        'Administrators set this in the company settings.'
      )}
    </p>
  )
}
