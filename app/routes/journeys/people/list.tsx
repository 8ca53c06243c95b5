import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { changeParticipants } from '#app/api/contract/participants.ts'
import { SearchWords } from '#app/domain/page.ts'
import type { Member } from '#app/domain/participants/member.ts'
import { figures } from '#app/domain/text/figures.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Link } from '#app/ui/link.tsx'
import { useSearchLink } from '#app/ui/list/search.ts'
import { readJourney } from '../journey.server.ts'
import { JourneyPage } from '../journey-page.tsx'
import { reason } from '../reason.server.ts'
import { SearchPeople } from '../search-people.tsx'
import { peopleOf, usePeopleAddress } from './address.ts'
import { listMemberPage, listWithdrawn, type Members } from './list-people.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Participants of ${isolated(data?.journey.name ?? 'a journey')} · Liftwell` },
]

const Search = z.object({
  find: SearchWords.catch(''),
  /** The page of members. */
  members: z.coerce.number().int().min(1).max(100_000).catch(1),
})

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const id = String(args.params.journeyId)
  const { find, members } = Search.parse(searchOf(args.request))
  const [shown, participants, withdrawn] = await Promise.all([
    readJourney(api, id),
    listMemberPage(api, id, members, find),
    listWithdrawn(api, id, find),
  ])
  return { ...shown, find, participants, withdrawn }
}

/** Brings back a member who left. */
export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { journeyId } = args.params
  const member_ids = [Number((await args.request.formData()).get('member_id'))]
  try {
    await api(changeParticipants, { id: journeyId }, { member_ids, state: 'active' })
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 409) throw error
    return data({ problem: await reason(error) }, { status: 409 })
  }
  return redirectWithToast(peopleOf(journeyId, args.request), { title: 'Added back' })
}

export default function ListParticipants() {
  const { journey, mayEdit, find, participants, withdrawn } = useLoaderData<typeof loader>()
  const problem = useActionData<typeof action>()?.problem
  const { to } = usePeopleAddress(journey.id)
  const { pagination, outside = 0 } = participants
  const isLong = pagination.total_pages > 1 || withdrawn.pagination.total_pages > 1
  return (
    <JourneyPage
      journey={journey}
      title={`Participants (${figures(pagination.total)}${pagination.is_capped ? '+' : ''})`}
      action={
        mayEdit ? (
          <span className="row-actions">
            <ButtonLink to={to('import')} variant="soft">
              Import
            </ButtonLink>
            <ButtonLink to={to('add')}>Add participants</ButtonLink>
          </span>
        ) : null
      }
    >
      <div className="stack">
        {problem ? (
          <p className="field-errors" role="alert">
            {problem}
          </p>
        ) : null}
        <section className="stack" aria-labelledby="participants">
          <h2 id="participants">In this journey</h2>
          {find || isLong ? (
            <SearchPeople name="find" label="Find a participant" words={find} fresh="members" />
          ) : null}
          {participants.data.length === 0 && outside === 0 ? (
            <p className="people-mail">{find ? `Nobody matches “${find}”.` : 'No participants yet.'}</p>
          ) : null}
          <ul className="people">
            {participants.data.map((member) => (
              <Participant key={member.id} {...{ member, mayEdit, to }} />
            ))}
          </ul>
          <Pages current={pagination.current_page} total={pagination.total_pages} />
          {outside > 0 ? (
            <p className="people-mail">{figures(outside)} more from outside this sub-tenant.</p>
          ) : null}
        </section>
        {withdrawn.data.length > 0 ? <Withdrawn page={withdrawn} mayEdit={mayEdit} /> : null}
      </div>
    </JourneyPage>
  )
}

const More = ({ children }: { children: ReactNode }) => (
  <>
    {' '}
    <span className="people-mail">({children})</span>
  </>
)

type ParticipantProps = { member: Member; mayEdit: boolean; to: (rest: string) => string }

function Participant({ member, mayEdit, to }: ParticipantProps) {
  const { id, name, email, role, sponsor_name, exclude_data } = member
  const inRole = role === 'learner' ? '' : ` (${role})`
  const named = `${isolated(name)}${inRole}`
  return (
    <li>
      <span>
        {isolated(name)} <span className="people-mail">{email}</span>
        {inRole}
        {sponsor_name ? <More>sponsor: {isolated(sponsor_name)}</More> : null}
        {exclude_data ? <More>excluded from analytics</More> : null}
      </span>
      {mayEdit ? (
        <span className="row-actions">
          <Link to={to(String(id))}>
            Edit<span className="hidden-words">{` ${named}`}</span>
          </Link>
          <Link className="dangerous" to={to(`${id}/remove`)}>
            Remove<span className="hidden-words">{` ${named}`}</span>
          </Link>
        </span>
      ) : null}
    </li>
  )
}

function Withdrawn({ page, mayEdit }: { page: Members; mayEdit: boolean }) {
  const { total, is_capped } = page.pagination
  const more = total - page.data.length
  return (
    <section className="stack" aria-labelledby="withdrawn">
      <h2 id="withdrawn">Left</h2>
      <ul className="people">
        {page.data.map((member) => (
          <li key={member.id}>
            <span>
              {isolated(member.name)} <span className="people-mail">{member.email}</span>
            </span>
            {mayEdit ? (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="member_id" value={member.id} />
                <Button type="submit" variant="ghost">
                  Add back<span className="hidden-words"> {isolated(member.name)}</span>
                </Button>
              </Form>
            ) : null}
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <p className="people-mail">
          and {figures(more)}
          {is_capped ? '+' : ''} more: find them above by name.
        </p>
      ) : null}
    </section>
  )
}

function Pages({ current, total }: { current: number; total: number }) {
  const link = useSearchLink()
  if (total < 2) return null
  return (
    <p className="row-actions">
      {current > 1 ? <Link to={link({ members: String(current - 1) })}>Previous</Link> : null}
      <span>
        Page {current} of {total}
      </span>
      {current < total ? <Link to={link({ members: String(current + 1) })}>Next</Link> : null}
    </p>
  )
}
