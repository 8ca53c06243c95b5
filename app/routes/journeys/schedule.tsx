import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { JourneyChoices } from '#app/domain/journeys/journey.ts'
import { Timeline as TimelineData } from '#app/domain/journeys/timeline.ts'
import { MemberPage } from '#app/domain/members/member.ts'
import { pageOf } from '#app/domain/page.ts'
import { User } from '#app/domain/users/user.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ConfirmDialog, Modal } from '#app/ui/dialog.tsx'
import { Page } from '#app/ui/page.tsx'
import { useRefused } from '#app/ui/refused.ts'
import { useSearchLink } from '#app/ui/search.ts'
import { readAuthoring } from './authoring.server.ts'
import { author } from './authoring-actions.server.ts'
import { AuthoringDialog, isAuthoring } from './authoring-dialog.tsx'
import { JourneyBadge } from './journey-badge.tsx'
import { JourneyFields } from './journey-fields.tsx'
import stylesheet from './journeys.css?url'
import { ConfirmLaunch, LaunchPanel } from './launch-panel.tsx'
import { LiftEditor } from './lift-editor.tsx'
import { Participants, type People } from './participants.tsx'
import type { TableAnswer } from './participants-import.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { moveJourney, readRunning } from './running.server.ts'
import { ConfirmStep, RunningPanel } from './running-panel.tsx'
import {
  addMembers,
  launch,
  removeLift,
  removeMember,
  saveJourney,
  saveLift,
} from './schedule-actions.server.ts'
import { Timeline } from './timeline.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.timeline.journey.name ?? 'Schedule'} · Liftwell` },
]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

const id = z.coerce.number().int().positive().optional().catch(undefined)
const flag = z.stringbool().catch(false)
const Search = z.object({
  lift: id,
  create: flag,
  participantsModal: flag,
  journeyModal: flag,
  /** Questions before something that matters. */
  launch: z.enum(['send', 'skip']).optional().catch(undefined),
  remove: id,
  /** Inside the participants: whom to look for, and which page of those who take part. */
  people: z.string().max(200).catch(''),
  members: z.coerce.number().int().min(1).max(100_000).catch(1),
  member: id,
})

const SubTenantChoices = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) })

const readSearch = (request: Request) => Search.parse(Object.fromEntries(new URL(request.url).searchParams))

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const search = readSearch(args.request)
  const address = `/lljs/${args.params.journeyId}`
  const authoring = await readAuthoring(api, String(args.params.journeyId), args.request)
  const [timeline, choices, timezones] = await Promise.all([
    api.get(`${address}/schedule`, TimelineData),
    search.journeyModal ? api.get('/lljs/data', JourneyChoices) : null,
    search.journeyModal ? api.get('/tenants/timezones', z.array(z.string())) : [],
  ])
  const people = search.participantsModal ? await readPeople(api, address, search) : null
  const running = await readRunning(api, String(args.params.journeyId), args.request)
  return { search, running, authoring, timeline, people, timezones, categories: choices?.categories ?? [] }
}

async function readPeople(api: ApiClient, address: string, search: z.infer<typeof Search>): Promise<People> {
  const [users, withdrawn, subTenants, members] = await Promise.all([
    api.get('/users', pageOf(User), { q: search.people, per_page: 100, order_by: 'name', order: 'asc' }),
    api.get(`${address}/members`, MemberPage, { withdrawn: true, per_page: 100 }),
    api.get('/tenants/tenant/sub_tenants/data', SubTenantChoices),
    api.get(`${address}/members`, MemberPage, {
      page: search.members,
      per_page: 100,
      order_by: 'name',
      order: 'asc',
    }),
  ])
  return {
    q: search.people,
    users: users.data,
    members,
    withdrawn: withdrawn.data,
    subTenants: subTenants.data,
    edited: search.member,
  }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const journeyId = String(args.params.journeyId)
  const formData = await args.request.formData()
  switch (formData.get('intent')) {
    case 'save-lift':
      return saveLift(api, journeyId, readSearch(args.request).lift, formData)
    case 'save-journey':
      return saveJourney(api, journeyId, formData)
    case 'launch':
      return launch(api, journeyId, formData)
    case 'add-members':
      return addMembers(api, journeyId, formData)
    case 'remove-member':
      return removeMember(api, journeyId, formData)
    case 'remove-lift':
      return removeLift(api, journeyId, formData)
    default:
      return (await moveJourney(api, journeyId, formData)) ?? author(api, journeyId, args.request, formData)
  }
}

export default function ScheduleJourney() {
  const { timeline } = useLoaderData<typeof loader>()
  const { journey, lifts } = timeline
  const link = useSearchLink()
  return (
    <Page
      title={journey.name}
      lead={
        <>
          <JourneyBadge status={journey.status} /> {journey.category ?? 'No category'} · by{' '}
          {journey.author.name}
        </>
      }
      action={journey.may_edit ? <ButtonLink to={link({ create: 'true' })}>Add lift</ButtonLink> : null}
    >
      <div className="schedule">
        <section aria-labelledby="lifts">
          <h2 id="lifts" className="hidden-words">
            Lifts
          </h2>
          <Timeline lifts={lifts} mayEdit={journey.may_edit} />
        </section>
        <aside className="aside">
          {journey.status === 'draft' && journey.may_edit ? <LaunchPanel {...timeline} /> : null}
          <RunningPanel status={journey.status} mayEdit={journey.may_edit} />
          <section className="stack" aria-labelledby="about">
            <h2 id="about">Journey</h2>
            <ButtonLink to={link({ participantsModal: 'true' })} variant="soft">
              Participants ({timeline.learners})
            </ButtonLink>
            <ButtonLink to={link({ objectives: 'true' })} variant="soft">
              Learning objectives
            </ButtonLink>
            <ButtonLink to={link({ journeyModal: 'true' })} variant="soft">
              Journey details
            </ButtonLink>
            {journey.status === 'draft' ? null : (
              <ButtonLink to={`/analytics?journey=${journey.id}`} variant="soft">
                Analytics
              </ButtonLink>
            )}
          </section>
        </aside>
      </div>
      <Dialogs />
    </Page>
  )
}

function Dialogs() {
  const { running, search, authoring, timeline, people, categories, timezones } =
    useLoaderData<typeof loader>()
  const refused = useRefused()
  const answered = useActionData<TableAnswer>()
  const closeHref = `/lljs/${timeline.journey.id}/schedule`
  const { journey, lifts, learners } = timeline
  const lift = lifts.find((one) => one.id === search.lift)
  const removed = lifts.find((one) => one.id === search.remove)
  if (isAuthoring(authoring.subject))
    return (
      <AuthoringDialog
        {...authoring}
        lift={lift}
        mayEdit={journey.may_edit}
        closeHref={closeHref}
        {...refused}
      />
    )
  if (people)
    return (
      <Participants
        people={people}
        closeHref={closeHref}
        mayEdit={journey.may_edit}
        answered={answered}
        lastResult={refused.lastResult}
      />
    )
  if (search.journeyModal)
    return (
      <Modal title="Journey details" closeHref={closeHref}>
        <JourneyFields journey={journey} categories={categories} timezones={timezones} {...refused} />
      </Modal>
    )
  if (running.preview)
    return (
      <PreviewDialog
        {...running}
        preview={running.preview}
        isDraft={journey.status === 'draft'}
        closeHref={closeHref}
      />
    )
  if (!journey.may_edit) return null
  if (running.ask)
    return (
      <ConfirmStep ask={running.ask} name={journey.name} status={journey.status} cancelHref={closeHref} />
    )
  if (search.launch && journey.status === 'draft')
    return (
      <ConfirmLaunch
        name={journey.name}
        learners={learners}
        skipPast={search.launch === 'skip'}
        cancelHref={closeHref}
      />
    )
  if (removed)
    return (
      <ConfirmDialog
        title={`Delete ${removed.title}?`}
        message="A lift that was sent already is kept for the figures and sent to nobody else."
        continueText="Yes, delete"
        cancelHref={closeHref}
        variant="error"
        fields={{ intent: 'remove-lift', lift_id: removed.id }}
      />
    )
  if (lift || search.create)
    return (
      <LiftEditor
        key={lift?.id ?? 'new'}
        lift={lift}
        others={lifts.filter((one) => one.id !== lift?.id)}
        objectives={authoring.objectives}
        closeHref={closeHref}
        {...refused}
      />
    )
  return null
}
