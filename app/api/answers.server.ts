/** The parts of which the contract of a call is written. */
import { z } from '@hono/zod-openapi'

/** An answer in JSON. */
export const answer = <Schema extends z.ZodType>(schema: Schema, description = 'OK') => ({
  content: { 'application/json': { schema } },
  description,
})

/** A body in JSON; a field that is not named in the schema is refused. */
export const body = <Shape extends z.core.$ZodLooseShape>(schema: z.ZodObject<Shape>) => ({
  body: { content: { 'application/json': { schema: schema.strict() } }, required: true as const },
})

export const NOTHING = z.object({})

const Problem = z
  .object({
    has_error: z.literal(true),
    status: z.number().int(),
    detail: z.union([z.string(), z.record(z.string(), z.array(z.string()))]),
    current: z.unknown().optional(),
  })
  .openapi('Problem')

const problem = (description: string) => answer(Problem, description)

/** How any call may be refused. */
export const refusals = {
  401: problem('No token, or one that is not valid (any more)'),
  403: problem('Not allowed'),
  404: problem('Does not exist in the scope of the caller'),
  409: problem('Taken, or saved by somebody else meanwhile (see current)'),
  422: problem('What was sent is not right; detail names the fields'),
}

export const NumericId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number)
  .openapi({ type: 'integer', example: 42 })

/** A user's id in a path. */
