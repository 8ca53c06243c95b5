import { useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'

const REFRESH_MS = 1500

/**
 * Reloads the data while something is running; without scripts the page has to be reloaded instead. One reload at a
 * time: a second one would cancel the first, and a slow answer would never come.
 */
export function useRefresh(isOn: boolean): void {
  const { revalidate, state } = useRevalidator()
  const isNext = isOn && state === 'idle'
  useEffect(() => {
    if (!isNext) return
    // Checked before each reload, because a failed one replaces the page by an error.
    const look = () =>
      fetch('/readyz').then(
        ({ status }) => status < 500 && revalidate(),
        () => {},
      )
    const timer = setInterval(look, REFRESH_MS)
    return () => clearInterval(timer)
  }, [isNext, revalidate])
}
