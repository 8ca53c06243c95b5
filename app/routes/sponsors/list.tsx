import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getSponsorBrief, listSponsoredJourneys } from '#app/api/contract/sponsors.ts'
import { zoneHere } from '#app/domain/users/clock.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Empty } from '#app/ui/empty.tsx'
import { BriefList } from '#app/ui/list/brief-list.tsx'
import { OwedList } from '#app/ui/owed-list.tsx'
import { Page } from '#app/ui/page.tsx'
import { SponsoredTiles } from '#app/ui/sponsored-tiles.tsx'

export const meta: MetaFunction = () => [{ title: 'Your learners · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { api } = visitor
  const [journeys, brief, user] = await Promise.all([
    api(listSponsoredJourneys),
    api(getSponsorBrief),
    readCurrentUser(args, visitor),
  ])
  return { journeys: journeys.data, brief, zone: zoneHere(user) }
}

export default function ListSponsored() {
  const { journeys, brief, zone } = useLoaderData<typeof loader>()
  const { data, total, assessments } = brief
  return (
    <Page title="Your learners" lead="Who needs attention, and how everyone is doing.">
      <section className="section" aria-labelledby="needs-a-word">
        <h2 id="needs-a-word">Who needs attention</h2>
        {data.length > 0 ? (
          <BriefList items={data} />
        ) : (
          <Empty
            title="Nobody needs you right now"
            hint="Learners appear here when a lift is overdue, a commitment is due, or an answer waits for your score."
          />
        )}
        {total > data.length ? <p>and {total - data.length} more, in the journeys below.</p> : null}
      </section>
      {assessments.length > 0 ? (
        <section className="section" aria-labelledby="assessments">
          <h2 id="assessments">Assessments</h2>
          <OwedList items={assessments} zone={zone} />
        </section>
      ) : null}
      <section className="section" aria-labelledby="sponsored">
        <h2 id="sponsored">Journeys</h2>
        {journeys.length > 0 ? (
          <SponsoredTiles journeys={journeys} />
        ) : (
          <Empty title="No learners yet" hint="When you become somebody’s sponsor, they appear here." />
        )}
      </section>
    </Page>
  )
}
