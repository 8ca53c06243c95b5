/** The HTML constraints of a form's inputs from its schema, including maximum lengths. */
import { getZodConstraint } from '@conform-to/zod/v4'
import { z } from 'zod'

/** Conform looks for the maximum length where this version of zod no longer stores it. */
export function constraintOf<Shape extends z.core.$ZodLooseShape>(schema: z.ZodObject<Shape>) {
  const constraint = getZodConstraint(schema)
  for (const [name, field] of Object.entries(schema.shape)) {
    const max = maxLengthOf(field)
    const known = constraint[name]
    if (max !== null && known) known.maxLength = max
  }
  return constraint
}

function maxLengthOf(schema: unknown): number | null {
  if (schema instanceof z.ZodString) return schema.maxLength
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return maxLengthOf(schema.def.innerType)
  return schema instanceof z.ZodPipe ? maxLengthOf(schema.def.in) : null
}
