/** The form of a new or existing tenant or sub-tenant; each screen that uses it chooses the sections. */
import { type DefaultValue, getFormProps } from '@conform-to/react'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { DefaultButton } from '#app/ui/form/default-button.tsx'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { compare, SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion, useOpenedAt } from '#app/ui/form/seen-version.tsx'
import { rulesInWords } from './rule-fields.tsx'

type Versioned = { lock_version: number }
type OrganizationFormProps<Shape extends z.core.$ZodLooseShape, Known extends Versioned> = {
  name: string
  schema: z.ZodObject<Shape>
  /** The schema of the current version, returned if somebody else has saved meanwhile. */
  answer?: z.ZodType<Known>
  /** Absent for a new one. */
  known?: Known | undefined
  toFields(known: Known | undefined): DefaultValue<z.input<z.ZodObject<Shape>>> & object
  save: string
  /** Placed beside the save button. */
  beside?: ReactNode
  children(shown: ReturnType<typeof useSchemaForm<Shape>>): ReactNode
}

export function OrganizationForm<Shape extends z.core.$ZodLooseShape, Known extends Versioned>(
  props: OrganizationFormProps<Shape, Known>,
) {
  const { name, schema, answer, known, toFields, save, beside, children } = props
  const opened = useOpenedAt(known?.lock_version)
  const shown = useSchemaForm(schema, {
    id: known ? `${name}-${opened}` : name,
    defaultValue: { ...toFields(known), lock_version: known?.lock_version },
  })
  const current = answer?.safeParse(shown.stored).data
  return (
    <Form method="post" encType="multipart/form-data" {...getFormProps(shown.form)}>
      <DefaultButton />
      <FormErrors form={shown.form} />
      {current ? (
        <SavedMeanwhile differences={compare(LABELS, inWords(toFields(current)), inWords(shown.typed))} />
      ) : null}
      {known ? (
        <SeenVersion field={shown.fields.lock_version as never} saved={current?.lock_version} />
      ) : null}
      {children(shown)}
      <FormActions>
        {beside}
        <SubmitButton>{save}</SubmitButton>
      </FormActions>
    </Form>
  )
}

const inWords = (fields: object) =>
  ({ ...fields, ...rulesInWords({ ...fields }) }) as Record<keyof typeof LABELS, unknown>

/** Labels of all sections; fields that a form does not have never differ. */
const LABELS = {
  name: 'Name',
  industry: 'Industry',
  customer_type: 'Customer type',
  status: 'Status',
  plan: 'Plan',
  timezone: 'Time zone',
  categories: 'Categories',
  llj_categories: 'Categories',
  quiet_hours: 'Quiet hours',
  daily_message_cap: 'Daily message limit',
  sending_stopped: 'Stop all messages',
  authors_may_create_drafts: 'Authors can create drafts',
  admins_need_second_factor: 'Administrators need a second factor',
  sign_in_links: 'Links in messages sign learners in',
}
