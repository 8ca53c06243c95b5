/** The journey e-mails that a person has stopped, and can resume. */
import type { OwnMailStops } from '#app/domain/mail-stops/mail-stop.ts'
import { FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { PlainCheckbox } from './privacy-parts.tsx'

export function MailStopsSection({ stops: { all, journeys } }: { stops: OwnMailStops }) {
  return (
    <Form
      method="post"
      action="/settings/privacy/mails"
      key={`mails-${all}-${journeys.map(({ id }) => id).join()}`}
    >
      <FormSection
        title="E-mails about journeys"
        help="Lifts, reminders, commitments, encouragements, and the summaries on Mondays. To stop the e-mails of one journey only, use the link at the end of any of them."
      >
        <input type="hidden" name="before" value={all ? 'no' : 'yes'} />
        <PlainCheckbox name="mails" label="E-mail me about my journeys" checked={!all} />
        {journeys.map(({ id, name }) => (
          <PlainCheckbox
            key={id}
            name={`journey-${id}`}
            label={`E-mail me about “${name}” again`}
            checked={false}
          />
        ))}
        <div>
          <SubmitButton intent="mails" variant="soft">
            Save e-mails
          </SubmitButton>
        </div>
      </FormSection>
    </Form>
  )
}
