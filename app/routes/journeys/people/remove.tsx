import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { removeParticipant } from '#app/api/contract/participants.ts'
import type { Member } from '#app/domain/participants/member.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { already, isGone } from '#app/routes/why-not-done.server.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { FormActions } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { readJourney, requireMayEdit } from '../journey.server.ts'
import { JourneyPage } from '../journey-page.tsx'
import { reason } from '../reason.server.ts'
import { SearchPeople } from '../search-people.tsx'
import { peopleOf, usePeopleAddress } from './address.ts'
import { listSponsors, readMember } from './list-people.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Remove ${isolated(data?.member.name ?? 'a participant')}? · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const id = String(args.params.journeyId)
  const seek = (new URL(args.request.url).searchParams.get('seek') ?? '').trim().slice(0, 200)
  const [shown, member, sponsors] = await Promise.all([
    readJourney(api, id),
    readMember(api, id, args.params.memberId),
    listSponsors(api, id, seek),
  ])
  await requireMayEdit(shown)
  if (!member) throw new Response('Not Found', { status: 404 })
  return {
    ...{ ...shown, member, seek },
    sponsors: sponsors.data.filter((one) => one.id !== member.id),
    hasMore: sponsors.pagination.total_pages > 1,
  }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { journeyId, memberId } = args.params
  const list = peopleOf(journeyId, args.request)
  const successor_id = Number((await args.request.formData()).get('successor_id')) || undefined
  try {
    await api(removeParticipant, { id: journeyId, memberId }, { successor_id })
  } catch (error) {
    if (isGone(error)) return redirectWithToast(list, already('removed'))
    return data({ problem: await reason(error) }, { status: 422 })
  }
  return redirectWithToast(list, { title: 'Removed from the journey' })
}

export default function RemoveParticipant() {
  const { journey, member, sponsors, hasMore, seek } = useLoaderData<typeof loader>()
  const problem = useActionData<typeof action>()?.problem
  const { list } = usePeopleAddress(journey.id)
  const isSponsor = member.role === 'sponsor'
  return (
    <JourneyPage journey={journey} title={`Remove ${isolated(member.name)}?`}>
      <div className="stack page-narrow">
        {problem ? (
          <p className="field-errors" role="alert">
            {problem}
          </p>
        ) : null}
        {isSponsor && (hasMore || seek) ? (
          <SearchPeople name="seek" label="Find a sponsor by name or e-mail" words={seek} />
        ) : null}
        {seek && sponsors.length === 0 ? (
          <p className="people-mail">No other sponsor matches “{seek}”.</p>
        ) : null}
        <Form method="post" preventScrollReset className="stack">
          {isSponsor ? <Successor sponsors={sponsors} /> : null}
          <p>Messages that have not been sent are canceled. Answers stay.</p>
          <FormActions>
            <ButtonLink to={list} variant="soft" color="gray">
              Cancel
            </ButtonLink>
            <Button type="submit" color="red">
              Remove<span className="hidden-words"> {member.name}</span>
            </Button>
          </FormActions>
        </Form>
      </div>
    </JourneyPage>
  )
}

function Successor({ sponsors }: { sponsors: readonly Member[] }) {
  return (
    <label className="field">
      <span className="field-label">New sponsor of their learners</span>
      <select className="input input-select" name="successor_id" defaultValue="">
        <option value="">Nobody</option>
        {sponsors.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name} ({one.email})
          </option>
        ))}
      </select>
    </label>
  )
}
