/** The version that a form was rendered from; a refused form keeps its own, whatever version the page has by now. */
import type { FieldMetadata } from '@conform-to/react'
import { useLocation } from '@remix-run/react'
import { useState } from 'react'
import { useRefused } from './refused.ts'

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

/**
 * The version that a form begins with: the newest one when its page was opened, or saved from here. Pages read their
 * data again meanwhile, for example when the notifications are closed, and nothing typed may be lost then.
 */
export function useOpenedAt<Version>(version: Version): Version {
  const { key } = useLocation()
  const isRefused = useRefused().lastResult !== null
  const [opened, setOpened] = useState({ key, version })
  if (opened.key === key) return opened.version
  const next = { key, version: isRefused ? opened.version : version }
  setOpened(next)
  return next.version
}
