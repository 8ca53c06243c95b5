import { useLocation, useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'

/** What browsers do on a page load, and client-side navigation must do: announce the page, and move the focus. */
export function Arrival() {
  const { pathname, hash, key } = useLocation()
  const { state } = useNavigation()
  const last = useRef('')
  const focusPath = useRef<HTMLElement[]>([])

  // Of a focused element that is removed, only its surroundings are left.
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      focusPath.current = []
      for (let at = target as HTMLElement | null; at; at = at.parentElement) focusPath.current.push(at)
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])

  // Otherwise the focus would stay on a link that is gone, and screen readers would not announce the new page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation has its key
  useEffect(() => {
    const before = last.current
    last.current = pathname
    if (before) goalOf(before !== pathname, hash, focusPath.current)?.focus({ preventScroll: true })
  }, [key])

  return <div className="busy" data-on={state === 'idle' ? undefined : ''} aria-hidden="true" />
}

/** Undefined where the focus may stay: for example a closed dialog has already returned it to its opener. */
function goalOf(isNew: boolean, hash: string, focusPath: HTMLElement[]): HTMLElement | null | undefined {
  const focused = document.activeElement
  const main = document.getElementById('main')
  const named = hash && document.getElementById(hash.slice(1))
  const isLost = focused === document.body && !focusPath[0]?.isConnected
  const goal =
    named || (isNew ? !main?.contains(focused) && main : isLost && focusPath.find((at) => at.isConnected))
  if (!goal) return
  if (goal.tabIndex < 0) goal.tabIndex = -1
  return goal
}
