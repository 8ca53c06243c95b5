import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Outlet, useLoaderData } from '@remix-run/react'
import { createObjective, listObjectives } from '#app/api/contract/objectives.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { type Objective, ObjectiveForm, objectiveOfForm } from '#app/domain/objectives/objective.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requirePage } from '#app/routes/gone.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { Link } from '#app/ui/link.tsx'
import { readJourney } from '../journey.server.ts'
import { JourneyPage } from '../journey-page.tsx'
import { ObjectiveFields } from './objective-fields.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Learning objectives of ${isolated(data?.journey.name ?? 'a journey')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const [shown, { data: objectives }] = await Promise.all([
    readJourney(api, args.params.journeyId),
    api(listObjectives, { id: args.params.journeyId }),
  ])
  return { ...shown, objectives }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { journeyId } = args.params
  const submission = readForm(await args.request.formData(), ObjectiveForm)
  if (submission.status !== 'success') return refuse(submission)
  try {
    const input = objectiveOfForm(submission.value)
    await api(createObjective, { id: journeyId }, input)
  } catch (error) {
    await requirePage(error, () => readJourney(api, journeyId))
    return refuse(submission, error)
  }
  return redirectWithToast(encodePath`/lljs/${journeyId}/objectives`, { title: 'Objective saved' })
}

export default function ListObjectives() {
  const { journey, mayEdit, objectives } = useLoaderData<typeof loader>()
  return (
    <JourneyPage journey={journey} title="Learning objectives">
      <div className="stack">
        {objectives.length === 0 ? (
          <p>What should people be able to do afterwards? Tag lifts and questions with it.</p>
        ) : (
          <ul className="people">
            {objectives.map((objective) => (
              <Row key={objective.id} objective={objective} mayEdit={mayEdit} />
            ))}
          </ul>
        )}
        {mayEdit ? (
          <section className="stack page-narrow" aria-labelledby="add-objective">
            <h2 id="add-objective">Add an objective</h2>
            {/* The key empties the form after its objective was added to the list. */}
            <ObjectiveFields key={Math.max(0, ...objectives.map(({ id }) => id))} objective={null} />
          </section>
        ) : null}
      </div>
      <Outlet />
    </JourneyPage>
  )
}

function Row({ objective, mayEdit }: { objective: Objective; mayEdit: boolean }) {
  const { id, code, text, target_level, uses } = objective
  return (
    <li>
      <span>
        <strong>{code}</strong> {text}{' '}
        <span className="people-mail">
          {target_level === null ? '' : `target ${Math.round(target_level * 100)}%, `}
          {uses === 1 ? '1 use' : `${uses} uses`}
        </span>
      </span>
      {mayEdit ? (
        <span className="row-actions">
          <Link to={String(id)}>
            Edit<span className="hidden-words"> {code}</span>
          </Link>
          <Link className="dangerous" to={`${id}/remove`} preventScrollReset>
            {uses > 0 ? 'Retire' : 'Delete'}
            <span className="hidden-words"> {code}</span>
          </Link>
        </span>
      ) : null}
    </li>
  )
}
