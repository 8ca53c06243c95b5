import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { Outlet, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { getTimeline } from '#app/api/contract/journeys.ts'
import { may, mayCreateJourney } from '#app/domain/access/permissions.ts'
import { isClosed } from '#app/domain/journeys/journey-status.ts'
import { dayIn, timeOfDay } from '#app/domain/text/date-format.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { tenantNow } from '#app/routes/tenant-clock.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Link } from '#app/ui/link.tsx'
import { Page } from '#app/ui/page.tsx'
import { ConfirmChange } from '../impact-question.tsx'
import { JourneyBadge } from '../journey-badge.tsx'
import { JourneyTabs } from '../journey-page.tsx'
import { useScheduleAddress } from './address.ts'
import { ScheduleAside } from './aside.tsx'
import { moveLift } from './move-lift.server.ts'
import { movedAddress } from './moved-address.ts'
import { LiftTimeline } from './timeline.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${isolated(data?.timeline.journey.name ?? 'Schedule')} · Liftwell` },
]

const Search = z.object({ page: z.coerce.number().int().positive().optional().catch(undefined) })

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { api, actor } = visitor
  const { searchParams } = new URL(args.request.url)
  const moved = movedAddress(String(args.params.journeyId), searchParams)
  if (moved) throw redirect(moved)
  const { page } = Search.parse(Object.fromEntries(searchParams))
  const [timeline, now] = await Promise.all([
    api(getTimeline, { id: args.params.journeyId }, { page }),
    tenantNow(args, visitor),
  ])
  const { journey } = timeline
  return {
    timeline,
    // Completed and archived journeys are read-only.
    mayEdit: journey.may_edit && !isClosed(journey.status),
    today: dayIn(journey.timezone, now),
    mayCopy: mayCreateJourney(actor, await readCurrentUser(args, visitor)),
    hoursHref: may(actor, 'company:edit') ? '/settings/company' : null,
  }
}

/** Moves a lift; forwards a form that was rendered at an old URL, with its input. */
export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const moved = movedAddress(String(args.params.journeyId), new URL(args.request.url).searchParams)
  return moved ? redirect(moved, 307) : moveLift(api, args)
}

export default function ShowSchedule() {
  const { timeline, mayEdit, mayCopy, today, hoursHref } = useLoaderData<typeof loader>()
  const { journey } = timeline
  const { schedule, to } = useScheduleAddress()
  return (
    <Page
      title={journey.name}
      lead={
        <>
          <JourneyBadge status={journey.status} /> {journey.category ?? 'No category'} · Author:{' '}
          {isolated(journey.author.name)}
          {journey.may_edit && !mayEdit ? ' · read-only' : null}
          {journey.may_edit && !mayEdit && mayCopy ? (
            <>
              : you can still <Link to={`/lljs/manage/${journey.id}/duplicate`}>copy it</Link>
            </>
          ) : null}
        </>
      }
      action={mayEdit ? <ButtonLink to={to('lifts/new')}>Add lift</ButtonLink> : null}
    >
      <JourneyTabs journey={journey} />
      <div className="schedule">
        <section aria-labelledby="lifts">
          <h2 id="lifts" className="hidden-words">
            Lifts
          </h2>
          {isClosed(journey.status) ? null : <QuietHours {...timeline.quiet_hours} changeHref={hoursHref} />}
          <LiftTimeline {...timeline} today={today} mayEdit={mayEdit} />
        </section>
        <ScheduleAside timeline={timeline} />
      </div>
      <ConfirmChange title="Change the order?" cancelHref={schedule} />
      <Outlet />
    </Page>
  )
}

/** For learners with an unknown time zone they are longer, which the preview shows for each person. */
function QuietHours({ from, to, changeHref }: { from: string; to: string; changeHref: string | null }) {
  return (
    <p className="timeline-facts timeline-quiet">
      {`Quiet hours are ${timeOfDay(from)} to ${timeOfDay(to)}, each learner’s local time, and longer for learners who have not set a time zone. No text leaves then, and e-mails only if you send them manually or launch with “Now”. `}
      {changeHref ? (
        <Link to={changeHref}>Change the quiet hours</Link>
      ) : (
        'Administrators set them in the company settings.'
      )}
    </p>
  )
}
