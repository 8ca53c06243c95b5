/** What the generator of the document makes of a schema, where that is no JSON Schema of the same values. */

/** A regular expression ends in its flags: JSON Schema has none, and reads every pattern as Unicode. */
const FLAGS = /(?<!\\)\/[a-z]+$/

export function corrected<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(corrected) as Part
  if (typeof part !== 'object' || part === null) return part
  const { pattern, enum: values, type, default: usual, ...others } = part as Record<string, unknown>
  const isNullable = Array.isArray(type) && type.includes('null')
  return {
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, corrected(value)])),
    // A word that is read as yes or no.
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
