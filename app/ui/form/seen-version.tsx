/** Which state a form was drawn from: a refused one keeps its own, whatever the page was drawn anew from. */
import { type FieldMetadata, getInputProps } from '@conform-to/react'

type SeenVersionProps<Schema> = {
  field: FieldMetadata<number | undefined, Record<string, unknown> & Schema, string[]>
  /** That of what somebody else saved, once it is shown beside what was typed. */
  saved?: number | undefined
}

export function SeenVersion<Schema>({ field, saved }: SeenVersionProps<Schema>) {
  const { key, ...input } = getInputProps(field, { type: 'hidden' })
  return <input key={key} {...input} value={saved ?? input.defaultValue} />
}
