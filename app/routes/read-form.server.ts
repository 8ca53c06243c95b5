/** Reads a submitted form. Fields that the schema does not have are refused, neither dropped nor parsed. */
import type { Submission } from '@conform-to/react'
import { z } from 'zod'
import { parseForm } from '#app/ui/form/parse-form.ts'

/** Fields that belong to the page instead of the schema: the pressed button, and a confirmation. */
const OF_PAGE = /^(intent|confirmed)$/
/** Conform's field for adding or removing a row. */
const ROWS = '__intent__'
const MAX_ROWS = 100

type Sent = FormData | URLSearchParams

export function readForm<Schema extends z.ZodType>(
  sent: FormData,
  schema: Schema,
): Submission<z.output<Schema>> {
  const { known, unknown } = sort(sent, schema)
  const submission = parseForm(known, schema)
  if (unknown === undefined) return submission
  return refuseField(submission, unknown)
}

/** The fields of a search form; other parameters of the URL are ignored. */
export const readSearch = <Schema extends z.ZodType>(sent: URLSearchParams, schema: Schema) =>
  parseForm(sort(sent, schema).known, schema)

function refuseField<In, Out>(
  submission: Submission<In, string[], Out>,
  name: string,
): Submission<In, string[], Out> {
  const why = `This form has no field “${name.slice(0, 60)}”.`
  return {
    status: 'error',
    payload: submission.payload,
    error: { '': [why] },
    reply: () => ({ ...submission.reply({ formErrors: [why] }), status: 'error' }),
  }
}

/** The fields known to the schema, and the name of the first unknown one. */
function sort(sent: Sent, schema: z.ZodType): { known: FormData; unknown: string | undefined } {
  const known = new FormData()
  let unknown: string | undefined
  for (const [name, value] of sent as Iterable<[string, FormDataEntryValue]>) {
    if (OF_PAGE.test(name)) continue
    if (isOf(schema, name, value)) known.append(name, value)
    else unknown ??= name
  }
  return { known, unknown }
}

function isOf(schema: z.ZodType, name: string, value: FormDataEntryValue): boolean {
  if (name === ROWS) return isStep(schema, value)
  const field = fieldOf(schema, pathOf(name))
  return field !== null && !isMany(field)
}

const index = z.number().int().min(0).max(MAX_ROWS)
const Step = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('insert'),
    payload: z.strictObject({
      name: z.string(),
      index: index.optional(),
      defaultValue: z.record(z.string(), z.string()).or(z.literal('')).optional(),
    }),
  }),
  z.strictObject({ type: z.literal('remove'), payload: z.strictObject({ name: z.string(), index }) }),
  z.strictObject({
    type: z.literal('validate'),
    payload: z.strictObject({ name: z.string().optional(), validated: z.boolean().optional() }),
  }),
])

function isStep(schema: z.ZodType, value: FormDataEntryValue): boolean {
  const step = Step.safeParse(json(value)).data
  if (!step) return false
  const field = fieldOf(schema, pathOf(step.payload.name ?? ''))
  return field !== null && (step.type === 'validate' || (field instanceof z.ZodArray && isMany(field)))
}

function json(value: FormDataEntryValue): unknown {
  try {
    return JSON.parse(String(value))
  } catch {
    return undefined
  }
}

/** `admins[0].email` -> `admins`, `0`, `email` */
const pathOf = (name: string): string[] => name.split(/[.[\]]+/).filter(Boolean)

/** An object, or rows of objects, which cannot be sent as a single value. */
const isMany = (field: z.core.$ZodType): boolean =>
  field instanceof z.ZodObject || (field instanceof z.ZodArray && isMany(bare(field.element)))

/** The schema of a field name; null if there is none. */
function fieldOf(schema: z.core.$ZodType, [first, ...rest]: string[]): z.core.$ZodType | null {
  const whole = bare(schema)
  if (first === undefined) return whole
  if (whole instanceof z.ZodObject)
    return Object.hasOwn(whole.shape, first) ? fieldOf(whole.shape[first], rest) : null
  if (whole instanceof z.ZodArray)
    return /^\d{1,3}$/.test(first) && Number(first) < MAX_ROWS ? fieldOf(whole.element, rest) : null
  return null
}

/** The schema without wrappers such as optional, nullable, default or transform. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return bare(schema.def.innerType)
  return schema instanceof z.ZodPipe && !(schema.def.in instanceof z.ZodTransform)
    ? bare(schema.def.in)
    : schema
}
