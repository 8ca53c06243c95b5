/** A form that is checked by one schema, here as on the server, and knows what its action refused. */
import { type DefaultValue, useForm } from '@conform-to/react'
import type { z } from 'zod'
import { constraintOf } from './constraint.ts'
import { parseForm } from './parse-form.ts'
import { useRefused } from './refused.ts'

type Options<Values> = { id: string; defaultValue: DefaultValue<Values> }

/** `stored`: what somebody else saved meanwhile; `typed`: what was in the form then. */
export function useSchemaForm<Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  { id, defaultValue }: Options<z.input<z.ZodObject<Shape>>>,
) {
  type Values = z.input<z.ZodObject<Shape>> & Record<string, unknown>
  const { lastResult, current: stored } = useRefused()
  const [form, fields] = useForm<Values, z.output<z.ZodObject<Shape>>>({
    id,
    defaultValue: defaultValue as DefaultValue<Values>,
    lastResult,
    constraint: constraintOf(schema) as never,
    defaultNoValidate: false,
    shouldValidate: 'onSubmit',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseForm(formData, schema) as never,
  })
  return { form, fields, stored, typed: lastResult?.initialValue ?? {} }
}
