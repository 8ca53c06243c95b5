import { useLocation, useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'

/** What the browser does by itself when a page loads, and a navigation by script must do: say so, and move the focus. */
export function Arrival() {
  const { pathname } = useLocation()
  const { state } = useNavigation()
  const last = useRef(pathname)

  // The focus would stay on a link that is gone; readers of screens would not learn of the new page.
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    const main = document.getElementById('main')
    // A dialog that was closed has returned it to what opened it.
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
  }, [pathname])

  return <div className="busy" data-on={state === 'idle' ? undefined : ''} aria-hidden="true" />
}
