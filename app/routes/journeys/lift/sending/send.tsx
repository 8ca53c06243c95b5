import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { listStillToSend, sendLiftNow } from '#app/api/contract/lifts.ts'
import { refusalOf } from '#app/api/refuse.server.ts'
import { SearchWords } from '#app/domain/page.ts'
import type { SentNow } from '#app/domain/sending/send-now-recipients.ts'
import { figures } from '#app/domain/text/figures.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { noPermission, requireDashboard } from '#app/routes/guards.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FormActions, SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { readJourney } from '../../journey.server.ts'
import { JourneyPage } from '../../journey-page.tsx'
import { reason } from '../../reason.server.ts'
import { scheduleOf } from '../../schedule/address.ts'
import { KeptSearch, SearchField } from '../../search-people.tsx'
import { isSendable } from '../../sendable.ts'
import { useLiftAddress } from '../address.ts'
import { requireLift } from '../lift.server.ts'
import { saidOnce } from './pressed-twice.server.ts'
import { WhatIsSent } from './what-is-sent.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Send ${isolated(data?.lift.title ?? 'a lift')} now? · Liftwell` },
]

const words = SearchWords.catch('')
const ids = z.array(z.coerce.number().int().positive()).max(100).catch([])

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { searchParams } = new URL(args.request.url)
  const whom = words.parse(searchParams.get('whom') ?? '')
  const chosen = ids.parse(searchParams.getAll('member_ids'))
  const [{ journey }, lift] = await Promise.all([
    readJourney(api, args.params.journeyId),
    requireLift(api, args.params),
  ])
  if (!journey.may_edit) throw noPermission()
  const query = { q: whom, member_ids: chosen.join(',') }
  const still = isSendable(journey, lift) ? await api(listStillToSend, { id: lift.id }, query) : null
  return { journey, lift, still, whom, chosen }
}

type Answer = { problem?: string; selected?: number[] }

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const formData = await args.request.formData()
  const toAll = requireIntent(formData, ['send-now', 'send-chosen']) === 'send-now'
  const selected = formData.getAll('member_ids').map(Number).filter(Number.isSafeInteger)
  if (!toAll && selected.length === 0)
    return data<Answer>({ problem: 'Please select at least one person.' }, { status: 422 })
  try {
    const sent = await api(
      sendLiftNow,
      { id: args.params.liftId },
      { member_ids: toAll ? 'pending' : selected },
    )
    return await redirectWithToast(
      scheduleOf(args.params.journeyId, args.request),
      saidOnce(args, toastOf(sent)),
    )
  } catch (error) {
    const { status } = refusalOf(error)
    return data<Answer>({ problem: await reason(error), selected }, { status })
  }
}

function toastOf({ planned, is_done }: SentNow) {
  if (planned === 0)
    return {
      title: 'Nothing to send',
      message: 'They already received this lift.',
      variant: 'info' as const,
    }
  if (!is_done)
    return {
      title: `Sending to ${figures(planned)} people`,
      message: 'That many take some minutes. Texts wait until morning where it is night.',
    }
  return {
    title: planned === 1 ? 'On its way to 1 person' : `On its way to ${figures(planned)} people`,
    message: 'E-mails leave now. Texts wait until morning where it is night.',
  }
}

export default function SendNow() {
  const { journey, lift, still } = useLoaderData<typeof loader>()
  const { problem } = useActionData<Answer>() ?? {}
  const { schedule } = useLiftAddress()
  const people = still?.people ?? 0
  return (
    <JourneyPage
      journey={journey}
      title={still ? `Send “${isolated(lift.title)}” now?` : `Send “${isolated(lift.title)}”`}
    >
      <div className="stack page-narrow">
        {problem ? (
          <p className="field-errors" role="alert">
            {problem}
          </p>
        ) : null}
        {still ? <WhatIsSent {...still} /> : <p>You can send ready lifts while the journey is running.</p>}
        {people > 1 ? <Choose /> : null}
        <Form method="post" preventScrollReset>
          <FormActions>
            <ButtonLink to={schedule} variant="soft" color="gray">
              {people > 0 ? 'Cancel' : 'Back to the schedule'}
            </ButtonLink>
            {people > 0 ? (
              <SubmitButton intent="send-now">
                {people === 1 ? 'Send it now' : `Send it to all ${figures(people)}`}
              </SubmitButton>
            ) : null}
          </FormActions>
        </Form>
      </div>
    </JourneyPage>
  )
}

/** A single form, so that the selection is kept during a search. */
function Choose() {
  const { still, whom, chosen } = useLoaderData<typeof loader>()
  const { selected = chosen, problem } = useActionData<Answer>() ?? {}
  if (!still) return null
  const more = still.total - still.data.length
  return (
    <details className="more" open={whom !== '' || chosen.length > 0 || problem !== undefined}>
      <summary>Choose people</summary>
      <Form method="get" preventScrollReset className="stack">
        <KeptSearch but={['whom', 'member_ids', 'key']} />
        <div className="filter-search">
          <SearchField name="whom" label="Search people by name or e-mail" words={whom} />
        </div>
        <fieldset className="field choices scroll-box">
          <legend className="hidden-words">People who would get it</legend>
          {still.data.length === 0 ? <p className="people-mail">Nobody matches “{whom}”.</p> : null}
          {still.data.map(({ member_id, name, email, is_held, has_failed }) => (
            <label key={member_id} className="choice">
              <input
                className="choice-box"
                type="checkbox"
                name="member_ids"
                value={member_id}
                defaultChecked={selected.includes(member_id)}
              />
              <span className="choice-label">
                {name} <span className="people-mail">{email}</span>
                {is_held ? ' · held' : ''}
                {has_failed ? ' · failed' : ''}
              </span>
            </label>
          ))}
        </fieldset>
        {more > 0 ? (
          <p className="people-mail">
            and {still.is_capped ? 'more than ' : ''}
            {figures(more)} more: find them by name.
          </p>
        ) : null}
        <div>
          <SubmitButton intent="send-chosen" formMethod="post" variant="soft">
            Send to selected people
          </SubmitButton>
        </div>
      </Form>
    </details>
  )
}
