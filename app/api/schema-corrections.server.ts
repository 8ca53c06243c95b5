/** Corrects schemas that the generator of the document turns into a JSON Schema of other values. */

/** The generator leaves the flags at the end of a regular expression; JSON Schema has no flags, and always matches as Unicode. */
const FLAGS = /(?<!\\)\/[a-z]+$/

export function corrected<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(corrected) as Part
  if (typeof part !== 'object' || part === null) return part
  const { pattern, enum: values, type, default: usual, ...others } = part as Record<string, unknown>
  const isNullable = Array.isArray(type) && type.includes('null')
  return {
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, corrected(value)])),
    // A query parameter, sent as text, that the schema parses into a boolean.
    ...(type !== undefined && { type: typeof usual === 'boolean' ? 'boolean' : corrected(type) }),
    ...(pattern !== undefined && {
      pattern: typeof pattern === 'string' ? pattern.replace(FLAGS, '') : corrected(pattern),
    }),
    ...(values !== undefined && {
      enum: Array.isArray(values) && isNullable ? [...new Set([...values, null])] : corrected(values),
    }),
    ...(usual !== undefined && { default: usual }),
  } as Part
}
