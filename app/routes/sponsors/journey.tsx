import {
  type ActionFunctionArgs,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { ComponentProps } from 'react'
import { z } from 'zod'
import { listOwedForms } from '#app/api/contract/assessments.ts'
import {
  acknowledge,
  encourage,
  getLearnerForSponsor,
  getSponsorsJourney,
} from '#app/api/contract/sponsors.ts'
import { shownPage } from '#app/domain/page.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { zoneHere } from '#app/domain/users/clock.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { OwedList } from '#app/ui/owed-list.tsx'
import { Page } from '#app/ui/page.tsx'
import stylesheet from '../analytics/analytics.css?url'
import { reason } from '../journeys/reason.server.ts'
import { LearnerDetail } from './learner-detail.tsx'
import { LearnerList } from './learner-list.tsx'
import { refuseWords } from './refuse-words.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const who = data && 'learner' in data.shown ? isolated(data.shown.learner.name) : 'Your learners'
  return [{ title: `${who}${data ? ` in ${isolated(data.shown.journey.name)}` : ''} · Liftwell` }]
}
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

const Search = z.object({
  learner: z.coerce.number().int().positive().optional().catch(undefined),
  page: shownPage,
  q: z
    .string()
    .trim()
    .max(200)
    .regex(/^[^\0]*$/)
    .catch(''),
})

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { api } = visitor
  const { lljId } = args.params
  if (!/^[1-9]\d{0,14}$/.test(lljId ?? '')) throw new Response('Not Found', { status: 404 })
  const { learner, page, q } = Search.parse(searchOf(args.request))
  const shown = learner
    ? await api(getLearnerForSponsor, { id: lljId, userId: learner }, { page, q })
    : await api(getSponsorsJourney, { id: lljId }, { page, q })
  const [owed, user] = await Promise.all([api(listOwedForms), readCurrentUser(args, visitor)])
  const assessments = owed.data.filter(
    (form) =>
      form.rater === 'sponsor' &&
      form.journey.id === shown.journey.id &&
      (!learner || form.learner.id === learner),
  )
  return { shown, q, assessments, zone: zoneHere(user) }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { lljId } = args.params
  const formData = await args.request.formData()
  const learner = Number(formData.get('learner'))
  const text = String(formData.get('text') ?? '')
  const page = `/sponsors-journey/${lljId}?learner=${learner}`
  if (formData.get('intent') === 'acknowledge') {
    const seen = Number(formData.get('seen') ?? Number.NaN)
    try {
      await api(
        acknowledge,
        { id: String(formData.get('commitment')) },
        Number.isInteger(seen) ? { seen } : {},
      )
    } catch (error) {
      if (!(error instanceof Response) || error.status !== 409) return refuseWords(error, text)
      const message = await reason(error)
      return redirectWithToast(page, { title: 'Not acknowledged', message, variant: 'info' })
    }
    return redirect(page)
  }
  try {
    await api(encourage, { id: lljId }, { user_id: learner, text })
  } catch (error) {
    return refuseWords(error, text)
  }
  return redirect(page)
}

export default function ShowSponsorsJourney() {
  const { shown, q, assessments, zone } = useLoaderData<typeof loader>()
  const owed = assessments.length > 0 ? <Owed items={assessments} zone={zone} /> : null
  const refused = useActionData<typeof action>()
  return 'learner' in shown ? (
    <Page title={shown.learner.name} lead={`Your learner in “${isolated(shown.journey.name)}”.`} narrow>
      {owed}
      <LearnerDetail shown={shown} q={q} refused={refused} />
    </Page>
  ) : (
    <Page title="Your learners" lead={`The people you sponsor in “${isolated(shown.journey.name)}”.`}>
      {owed}
      <LearnerList list={shown} q={q} />
    </Page>
  )
}

const Owed = (props: ComponentProps<typeof OwedList>) => (
  <section className="section" aria-labelledby="assessments">
    <h2 id="assessments">Assessments to fill in</h2>
    <OwedList {...props} />
  </section>
)
