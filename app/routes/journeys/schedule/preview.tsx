import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { PreviewEntry } from '#app/domain/planning/preview/preview.ts'
import { dayIn } from '#app/domain/text/date-format.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Empty } from '#app/ui/empty.tsx'
import { FieldErrors } from '#app/ui/form/field.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { DataTable } from '#app/ui/list/table.tsx'
import { ImpactNumbers } from '../impact-question.tsx'
import { readJourney } from '../journey.server.ts'
import { JourneyPage } from '../journey-page.tsx'
import { BY_EMAIL, columnsFor } from './preview-columns.tsx'
import { readPreview } from './read-preview.server.ts'
import { WhatIf } from './what-if.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Preview of ${isolated(data?.journey.name ?? 'a schedule')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const id = String(args.params.journeyId)
  const [{ journey }, previewed] = await Promise.all([
    readJourney(api, id),
    readPreview(api, id, args.request),
  ])
  return { journey, previewed }
}

export default function PreviewSchedule() {
  const { journey, previewed } = useLoaderData<typeof loader>()
  return (
    <JourneyPage journey={journey} title="Preview schedule">
      <div className="stack">
        <Viewpoint />
        {previewed.isNobody ? (
          <Empty title={`Nobody matches “${previewed.who}”`} hint="Try another name or e-mail." />
        ) : (
          <Plan />
        )}
      </div>
    </JourneyPage>
  )
}

const TO_COME = ['planned', 'held', 'due']

/** Says once, not in every row, that people without a number or consent get e-mails. */
function WithoutTexts({ entries }: { entries: readonly PreviewEntry[] }) {
  const instead = entries.filter(
    ({ state, why }) => TO_COME.includes(state) && why.some((one) => BY_EMAIL.includes(one.code)),
  )
  const [first] = instead
  if (!first) return null
  const count = instead.length === 1 ? '1 lift goes' : `${instead.length} lifts go`
  return (
    <p>
      {count} by e-mail: {first.name}{' '}
      {first.why.some((one) => one.code === 'number')
        ? 'has no mobile number.'
        : `hasn’t opted in to texts. Only ${first.name} can change this, under Privacy and notifications.`}
    </p>
  )
}

function Plan() {
  const { journey, previewed } = useLoaderData<typeof loader>()
  const { preview, tried, person } = previewed
  const entries = tried?.preview?.entries ?? preview.entries
  const before = new Map(preview.entries.map((entry) => [entry.lift_id, entry]))
  return (
    <>
      <WithoutTexts entries={entries} />
      {entries.length > 0 ? (
        <DataTable
          caption={tried?.preview ? 'Lifts and their times as they would be' : 'Lifts and their times'}
          columns={columnsFor(tried?.preview ? before : null)}
          rows={entries}
          rowKey="lift_id"
        />
      ) : (
        <Empty title="Nothing is planned" hint="Add a learner and a lift that is ready." />
      )}
      {tried?.preview?.impact ? (
        <section className="impact" aria-label="What saving this would do">
          <h2>If you saved this for everyone</h2>
          <ImpactNumbers impact={tried.preview.impact} />
        </section>
      ) : null}
      <WhatIf key={person ?? 0} previewed={previewed} journey={journey} />
    </>
  )
}

/** Chooses the learner and the day of the preview; with a search if there are too many people for a list. */
function Viewpoint() {
  const { journey, previewed } = useLoaderData<typeof loader>()
  const { learners, isNobody, isLong, person, who, as_of, wrongDate, preview } = previewed
  return (
    <Form method="get" className="stack" preventScrollReset>
      {isLong || who ? (
        <div className="field">
          <label className="field-label" htmlFor="preview-who">
            Find a learner
          </label>
          <input
            className="input"
            type="search"
            id="preview-who"
            name="who"
            defaultValue={who}
            placeholder="Name or e-mail"
          />
        </div>
      ) : null}
      {isNobody ? null : (
        <div className="field">
          <label className="field-label" htmlFor="preview-user">
            Learner
          </label>
          <select className="input input-select" id="preview-user" name="user" defaultValue={person ?? ''}>
            {learners.length === 0 ? <option value="">No learners yet</option> : null}
            {learners.map(({ user_id, name }) => (
              <option key={user_id} value={user_id}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      <div className="field">
        <label className="field-label" htmlFor="preview-as-of">
          {journey.status === 'draft' ? 'If you launch it on' : 'Show plan as of'}
        </label>
        <input
          className="input"
          type="date"
          id="preview-as-of"
          name="as_of"
          defaultValue={as_of ?? dayIn(preview.zone, new Date(preview.as_of))}
          {...(wrongDate && { 'aria-invalid': true, 'aria-describedby': 'preview-as-of-error' })}
        />
        <FieldErrors
          id="preview-as-of-error"
          errors={wrongDate ? ['There is no such day, so the plan is shown as of today.'] : undefined}
        />
      </div>
      <div>
        <button type="submit" className="rt-reset rt-BaseButton rt-Button rt-r-size-2 rt-variant-soft">
          Show
        </button>
      </div>
    </Form>
  )
}
