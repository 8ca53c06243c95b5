import {
  type ActionFunctionArgs,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { answerAsPhone, getClock, listHandsets, moveClock } from '#app/api/contract/testing.ts'
import { TestTextForm } from '#app/domain/outbox/outbox.ts'
import { ClockForm } from '#app/domain/testing/clock.ts'
import { HandsetSearch } from '#app/domain/testing/handset.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Link } from '#app/ui/link.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { NoRows } from '#app/ui/list/no-rows.tsx'
import { Pager } from '#app/ui/list/pager.tsx'
import { useSearchLink } from '#app/ui/list/search.ts'
import { Page } from '#app/ui/page.tsx'
import { AnswerAsPhone } from './answer-as-phone.tsx'
import { TestingClockSection } from './clock.tsx'
import { HandsetCard, handsetId } from './handset.tsx'
import stylesheet from './testing.css?url'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data && data.phone !== null ? 'Answer as a phone · ' : ''}Testing · Liftwell` },
]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

const phoneSearch = (request: Request) => HandsetSearch.parse(searchOf(request))

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { page, q, phone, answers } = phoneSearch(args.request)
  const [handsets, clock] = await Promise.all([api(listHandsets, { page, q }), api(getClock)])
  return { q, phone, answers, handsets, clock }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const sent = await args.request.formData()
  if (requireIntent(sent, ['clock', 'text']) === 'clock')
    return saveForm(sent, ClockForm, async (form) => {
      await api(moveClock, form)
      return redirect(addressOf(args.request, { answers: form.answers }))
    })
  const word = sent.get('word')
  sent.delete('word')
  if (word !== null) sent.set('text', word)
  return saveForm(sent, TestTextForm, async (form) => {
    const { from } = form
    const { reply } = await api(answerAsPhone, form)
    const { phone } = phoneSearch(args.request)
    const back =
      phone === null
        ? `${addressOf(args.request, {})}#${handsetId({ number: from, user_id: null })}`
        : `/testing?${new URLSearchParams({ q: from })}`
    return redirectWithToast(back, {
      title: 'Text received',
      message: reply ? `The answer: ${reply}` : 'Nobody answers it.',
    })
  })
}

/** The URL with the same page and search. */
function addressOf(request: Request, changes: Record<string, string>): string {
  const { page, q, answers } = phoneSearch(request)
  const kept = {
    ...(q && { q }),
    ...(page > 1 && { page: String(page) }),
    answers,
    ...changes,
  }
  const search = new URLSearchParams(kept)
  if (search.get('answers') === 'none') search.delete('answers')
  return search.size > 0 ? `/testing?${search}` : '/testing'
}

export default function Testing() {
  const { q, phone, answers, handsets, clock } = useLoaderData<typeof loader>()
  const link = useSearchLink()
  return (
    <Page
      title="Testing"
      lead="What the people of this tenant get and answer, and the clock they live by. No message leaves this machine."
      action={
        <>
          <ButtonLink to="/testing/messages" variant="soft" color="gray">
            All messages
          </ButtonLink>
          <ButtonLink to={link({ phone: '' })} variant="soft" color="gray">
            Text from any number
          </ButtonLink>
        </>
      }
    >
      <TestingClockSection clock={clock} answers={answers} />
      <section className="section" aria-labelledby="phones">
        <h2 id="phones">Phones and mailboxes</h2>
        <p>Reply as any of them. Open a link in a private window, where you are not signed in yourself.</p>
        <FilterBar q={q} placeholder="Search by name, number or address" />
        {handsets.data.length > 0 ? (
          <ul className="handsets">
            {handsets.data.map((handset) => (
              <HandsetCard key={handsetId(handset)} handset={handset} />
            ))}
          </ul>
        ) : (
          <NoRows
            pagination={handsets.pagination}
            title="No messages"
            hint="Launch a journey, invite someone, or set the clock forward: what people get appears here."
          />
        )}
        <Pager pagination={handsets.pagination} />
      </section>
      <section className="section" aria-labelledby="again">
        <h2 id="again">Start again</h2>
        <p>
          <Link to="/testing/start-again">Put this tenant back to the beginning of the demo</Link>, with its
          journeys, its people and its clock.
        </p>
      </section>
      {phone === null ? null : <AnswerAsPhone key={phone} phone={phone} closeHref={link({ phone: null })} />}
    </Page>
  )
}
