import { useLocation, useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'

/** What browsers do on a page load, and client-side navigation must do: announce the page, and move the focus. */
export function Arrival() {
  const { pathname } = useLocation()
  const { state } = useNavigation()
  const last = useRef(pathname)

  // Otherwise the focus would stay on a link that is gone, and screen readers would not announce the new page.
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    const main = document.getElementById('main')
    // A closed dialog has already returned the focus to its opener.
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
  }, [pathname])

  return <div className="busy" data-on={state === 'idle' ? undefined : ''} aria-hidden="true" />
}
