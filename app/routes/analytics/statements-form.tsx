/** Exports the xAPI statements of a journey: as a file, or to the learning record store. */
import { Button } from '#app/ui/button.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'

type StatementsFormProps = {
  journeys: readonly { id: number; name: string }[]
  journey: number | null
  /** The host of the record store; null if none is set up. */
  recordStore: string | null
}

export function StatementsSection({ journeys, journey, recordStore }: StatementsFormProps) {
  if (journeys.length === 0) return null
  return (
    <section className="section" aria-labelledby="statements">
      <h2 id="statements">xAPI statements</h2>
      <p className="report-quiet">
        What the learners of a journey opened, answered and completed, as statements of xAPI 1.0.3. Learners
        who are excluded from analytics are left out, and so is the text of answers that you cannot read.
      </p>
      <Form method="post" action="/analytics/exports" className="report-filters">
        <input type="hidden" name="intent" value="statements" />
        <label>
          <span>Journey</span>
          <select className="input input-select" name="journey" defaultValue={journey ?? ''} required>
            <option value="">Choose a journey</option>
            {journeys.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className="report-check">
          <input type="checkbox" name="with_addresses" /> With names and e-mail addresses
        </label>
        <Button type="submit" name="to" value="file" variant="soft" color="gray">
          Make a file
        </Button>
        {recordStore ? (
          <Button type="submit" name="to" value="record_store" variant="soft" color="gray">
            Send to {recordStore}
          </Button>
        ) : null}
      </Form>
      <p className="report-quiet">
        Without names and addresses, each learner goes by a code that only Liftwell can read.{' '}
        {recordStore
          ? 'Sending again creates no duplicates. Statements stay in the store when a learner is erased here; delete them in the store itself.'
          : null}
      </p>
    </section>
  )
}
