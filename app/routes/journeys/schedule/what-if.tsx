/** Tries out another start, other days, quiet hours or another rule, before anything is saved. */
import { getFormProps, useForm } from '@conform-to/react'
import { WEEKDAYS } from '#app/domain/hours/wall-time.ts'
import type { Journey } from '#app/domain/journeys/journey.ts'
import { WhatIfForm } from '#app/domain/planning/preview/what-if.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ChoiceInput, SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormErrors, FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { parseForm } from '#app/ui/form/parse-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { useSearchLink } from '#app/ui/list/search.ts'
import { RuleFields } from '../lift/rule-fields.tsx'
import type { Previewed } from './read-preview.server.ts'

const FIELDS = Object.keys(WhatIfForm.shape)

export function WhatIf({ previewed, journey }: { previewed: Previewed; journey: Journey }) {
  const { tried, names, person, who, as_of } = previewed
  const link = useSearchLink()
  const { start_on, default_send_time, send_days } = journey
  const [form, fields] = useForm({
    id: 'what-if',
    defaultValue: { start_on, default_send_time, send_days, when: 'date' },
    lastResult: tried?.lastResult ?? null,
    defaultNoValidate: false,
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseForm(formData, WhatIfForm),
  })
  return (
    <details className="more" open={tried !== null}>
      <summary>Try other settings</summary>
      <Form method="get" preventScrollReset {...getFormProps(form)}>
        <FormErrors form={form} />
        <input type="hidden" name="what_if" value="true" />
        {who ? <input type="hidden" name="who" value={who} /> : null}
        {person ? <input type="hidden" name="user" value={person} /> : null}
        {as_of ? <input type="hidden" name="as_of" value={as_of} /> : null}
        <FormSection title="The journey" help="Nothing is saved here. Leave blank what should not change.">
          <TextInput field={fields.start_on} label="If it started on" type="date" />
          <TextInput field={fields.default_send_time} label="Usual time of day" type="time" />
          <ChoiceInput field={fields.send_days} label="Sending days" options={WEEKDAYS} multiple />
        </FormSection>
        <FormSection
          title="Quiet hours"
          help="Set in the company settings, for all journeys: at least 9:00 PM to 8:00 AM."
        >
          <TextInput field={fields.quiet_from} label="Quiet from" type="time" />
          <TextInput field={fields.quiet_to} label="Quiet until" type="time" />
        </FormSection>
        <FormSection title="One lift" help="Choose a lift to give it another time.">
          <SelectInput
            field={fields.change}
            label="The lift"
            placeholder="None"
            options={names.map(({ id, title }) => ({ value: String(id), label: title }))}
          />
          <RuleFields fields={fields} others={names} />
        </FormSection>
        <div className="dialog-actions">
          {tried ? (
            <ButtonLink
              to={link(Object.fromEntries([...FIELDS, 'what_if'].map((name) => [name, null])))}
              variant="soft"
              color="gray"
              preventScrollReset
            >
              Back to what is saved
            </ButtonLink>
          ) : null}
          <SubmitButton>Show what would happen</SubmitButton>
        </div>
      </Form>
    </details>
  )
}
