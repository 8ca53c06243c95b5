/** A form validated by the same schema in the browser and on the server, with the refusal of its action. */
import { type DefaultValue, useForm } from '@conform-to/react'
import type { z } from 'zod'
import { constraintOf } from './constraint.ts'
import { parseForm } from './parse-form.ts'
import { useRefused } from './refused.ts'

type Options<Values> = { id: string; defaultValue: DefaultValue<Values> }

/** `stored`: the version that somebody else saved meanwhile; `typed`: the input at that time. */
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
