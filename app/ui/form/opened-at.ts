import { useLocation } from '@remix-run/react'
import { useState } from 'react'
import { useRefused } from './refused.ts'

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
