import {
  type ActionFunctionArgs,
  data,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { Outlet, useLoaderData } from '@remix-run/react'
import { listLiftNames } from '#app/api/contract/lifts.ts'
import { listObjectives } from '#app/api/contract/objectives.ts'
import { dayIn } from '#app/domain/text/date-format.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import liftStylesheet from '#app/routes/lift/lift.css?url'
import { tenantNow } from '#app/routes/tenant-clock.server.ts'
import { useRefused } from '#app/ui/form/refused.ts'
import { NotThere } from '../not-there.tsx'
import { useLiftAddress } from './address.ts'
import { readLift, readSender } from './lift.server.ts'
import { LiftFields } from './lift-fields.tsx'
import { LiftActions, LiftPage } from './lift-page.tsx'
import { RetiredLift } from './retired-lift.tsx'
import { saveLift } from './save-lift.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${isolated(data?.lift?.title ?? 'Lift')} · ${isolated(data?.journey.name ?? 'Journey')} · Liftwell`,
  },
]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: liftStylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { api } = visitor
  const { journeyId } = args.params
  const [shown, names, objectives, now, sender] = await Promise.all([
    readLift(api, args.params),
    api(listLiftNames, { id: journeyId }),
    api(listObjectives, { id: journeyId }),
    tenantNow(args, visitor),
    readSender(args, visitor),
  ])
  const { timezone, status } = shown.journey
  const answer = {
    ...shown,
    sender,
    others: names.data.filter((one) => one.id !== shown.lift?.id),
    objectives: objectives.data,
    today: status === 'draft' ? dayIn(timezone, now) : undefined,
  }
  return data(answer, { status: shown.lift ? 200 : 404 })
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  return saveLift(api, args.params, args.request)
}

export default function EditLift() {
  const { journey, mayEdit, lift, preview, ...shown } = useLoaderData<typeof loader>()
  const { schedule } = useLiftAddress()
  // The input is shown again even if it can no longer be saved.
  const isTyped = useRefused().lastResult !== null
  if (!lift && !isTyped)
    return (
      <LiftPage {...{ journey, lift, preview }} title="Lift not found">
        <NotThere what="This lift no longer exists." back={schedule}>
          Back to the schedule
        </NotThere>
      </LiftPage>
    )
  if (lift && !isTyped && (!mayEdit || lift.status === 'retired'))
    return (
      <LiftPage
        {...{ journey, lift, preview }}
        title={lift.status === 'retired' ? `Retired lift “${lift.title}”` : lift.title}
      >
        <RetiredLift lift={lift} />
      </LiftPage>
    )
  return (
    <LiftPage
      {...{ journey, lift, preview }}
      title={lift ? `Edit lift “${isolated(lift.title)}”` : 'New lift'}
    >
      {lift ? <LiftActions journey={journey} lift={lift} /> : null}
      {lift && journey.status !== 'draft' ? (
        <p className="field-help">
          People who have this lift already keep it as it was sent; changes reach everyone else.
        </p>
      ) : null}
      <LiftFields key={lift?.id ?? 'new'} lift={lift ?? undefined} journey={journey} {...shown} />
      <Outlet />
    </LiftPage>
  )
}
