/** Reads what a form has sent. A field that the form does not have is refused, never dropped. */
import type { Submission } from '@conform-to/react'
import { z } from 'zod'
import { parseForm } from '#app/ui/parse-form.ts'

/** Names that belong to the page, not to the thing that is changed: which button it was, and what was agreed to. */
const OF_PAGE = /^(intent|confirmed|__\w+__)$/

export function readForm<Schema extends z.ZodType>(
  formData: FormData,
  schema: Schema,
): Submission<z.output<Schema>> {
  const unknown = [...new Set(formData.keys())].find(
    (name) => !OF_PAGE.test(name) && !has(schema, pathOf(name)),
  )
  const submission = parseForm(formData, schema)
  if (unknown === undefined || (submission.status !== 'success' && submission.status !== 'error'))
    return submission
  const why = `This form has no field “${unknown.slice(0, 60)}”.`
  return {
    status: 'error',
    payload: submission.payload,
    error: { '': [why] },
    reply: () => submission.reply({ formErrors: [why] }),
  }
}

/** `admins[0].email` -> `admins`, `0`, `email` */
const pathOf = (name: string): string[] => name.split(/[.[\]]+/).filter(Boolean)

function has(schema: unknown, [first, ...rest]: string[]): boolean {
  if (first === undefined) return true
  if (schema instanceof z.ZodObject)
    return Object.hasOwn(schema.shape, first) && has(schema.shape[first], rest)
  if (schema instanceof z.ZodArray) return /^\d*$/.test(first) && has(schema.element, rest)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return has(schema.def.innerType, [first, ...rest])
  return schema instanceof z.ZodPipe && has(schema.def.in, [first, ...rest])
}
