import { useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'

const REFRESH_MS = 1500

/** Looks again by itself while something is under way; without scripts the page has to be loaded anew instead. */
export function useRefresh(isOn: boolean): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(revalidate, REFRESH_MS)
    return () => clearInterval(timer)
  }, [isOn, revalidate])
}
