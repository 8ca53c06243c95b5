/** The version that a form was rendered from; a refused form keeps its own, whatever version the page has by now. */
import type { FieldMetadata } from '@conform-to/react'

type SeenVersionProps<Schema, Version> = {
  field: FieldMetadata<Version | undefined, Record<string, unknown> & Schema, string[]>
  /** The version that somebody else saved, once it is shown beside the input. */
  saved?: Version | undefined
}

export function SeenVersion<Schema, Version extends number | string>({
  field,
  saved,
}: SeenVersionProps<Schema, Version>) {
  return <input key={field.key} type="hidden" name={field.name} value={saved ?? field.initialValue} />
}
