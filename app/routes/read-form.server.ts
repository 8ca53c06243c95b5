/** Reads what a form has sent. A field that the form does not have is refused, never dropped, and never parsed. */
import type { Submission } from '@conform-to/react'
import { z } from 'zod'
import { parseForm } from '#app/ui/form/parse-form.ts'

/** Names that belong to the page, not to the thing that is changed: which button it was, and what was agreed to. */
const OF_PAGE = /^(intent|confirmed)$/
/** Which row of the form is to be added or removed. */
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

/** The fields of a form that searches; what else the address says is not its business. */
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

/** What the schema has a field for, and the first name that it has none for. */
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

/** A thing with fields of its own, or rows of them: no single value can stand for it. */
const isMany = (field: z.core.$ZodType): boolean =>
  field instanceof z.ZodObject || (field instanceof z.ZodArray && isMany(bare(field.element)))

/** What a name stands for in a schema; null where it stands for nothing. */
function fieldOf(schema: z.core.$ZodType, [first, ...rest]: string[]): z.core.$ZodType | null {
  const whole = bare(schema)
  if (first === undefined) return whole
  if (whole instanceof z.ZodObject)
    return Object.hasOwn(whole.shape, first) ? fieldOf(whole.shape[first], rest) : null
  if (whole instanceof z.ZodArray)
    return /^\d{1,3}$/.test(first) && Number(first) < MAX_ROWS ? fieldOf(whole.element, rest) : null
  return null
}

/** Without what only says that it may be missing, or what becomes of it. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return bare(schema.def.innerType)
  return schema instanceof z.ZodPipe && !(schema.def.in instanceof z.ZodTransform)
    ? bare(schema.def.in)
    : schema
}
