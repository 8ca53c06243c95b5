import { getFormProps, useForm } from '@conform-to/react'
import { useState } from 'react'
import {
  type Choice,
  findChoices,
  SubTenantSwitchForm,
  TenantSwitchForm,
} from '#app/domain/tenants/switching.ts'
import { Badge } from '#app/ui/badge.tsx'
import { FieldErrors } from '#app/ui/form/field.tsx'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { parseForm } from '#app/ui/form/parse-form.ts'
import { useRefused } from '#app/ui/form/refused.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { useHydrated } from '#app/ui/hydrated.ts'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'

type SwitchFormProps = {
  choices: readonly Choice[]
  /** The current place. */
  current: string | null
  q: string
  /** The place chosen on another page. */
  wanted: string
  searchesTenants: boolean
  /** For the audit log of the company. */
  needsReason: boolean
}

/** With JavaScript the button is enabled by a choice; without it the server reports what is missing. */
export function SwitchForm({ choices, current, q, wanted, searchesTenants, needsReason }: SwitchFormProps) {
  const schema = needsReason ? TenantSwitchForm : SubTenantSwitchForm
  const { lastResult } = useRefused()
  const [chosen, setChosen] = useState(wanted)
  const hydrated = useHydrated()
  const [form, fields] = useForm<{ place: string; reason?: string | undefined }>({
    id: 'switch',
    lastResult,
    defaultNoValidate: false,
    shouldValidate: 'onSubmit',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseForm(formData, schema),
  })
  const shown = findChoices(choices, q)
  const isIdle = hydrated && (chosen === '' || chosen === current || !isIn(shown, chosen))
  return (
    <>
      <FilterBar
        q={q}
        placeholder={searchesTenants ? 'Search tenants and sub-tenants' : 'Search sub-tenants'}
      />
      <Form method="post" {...getFormProps(form)} className="stack">
        <FormErrors form={form} title="You haven’t switched" />
        <fieldset id={fields.place.id} tabIndex={-1}>
          <legend className="hidden-words">Where to go</legend>
          {shown.length === 0 ? <p className="nothing">No results</p> : null}
          <Choices
            choices={shown}
            current={current}
            chosen={String(lastResult?.initialValue?.place ?? wanted)}
            onChoose={setChosen}
          />
          <FieldErrors id={`${fields.place.id}-errors`} errors={fields.place.errors} />
        </fieldset>
        {needsReason ? (
          <TextInput
            field={fields.reason}
            label="Reason"
            required
            maxLength={500}
            help="The company reads it in its audit log."
          />
        ) : null}
        <FormActions>
          <SubmitButton disabled={isIdle}>Go to the Platform</SubmitButton>
        </FormActions>
      </Form>
    </>
  )
}

const isIn = (choices: readonly Choice[], place: string): boolean =>
  choices.some((choice) => choice.place === place || isIn(choice.subTenants, place))

type ChoicesProps = {
  choices: readonly Choice[]
  current: string | null
  chosen: string
  onChoose: (place: string) => void
}

function Choices({ choices, ...rest }: ChoicesProps) {
  const { current, chosen, onChoose } = rest
  return (
    <ul className="switch-list">
      {choices.map(({ place, name, isActive, subTenants }) => (
        <li key={place}>
          <label className="switch-choice" data-off={isActive ? undefined : ''}>
            <input
              type="radio"
              name="place"
              value={place}
              disabled={!isActive}
              defaultChecked={isActive && place === chosen}
              onChange={() => onChoose(place)}
            />
            <span>{name}</span>
            {isActive ? null : <Badge>Inactive</Badge>}
            {place === current ? <Badge tone="accent">You are here</Badge> : null}
          </label>
          {subTenants.length > 0 ? <Choices {...rest} choices={subTenants} /> : null}
        </li>
      ))}
    </ul>
  )
}
