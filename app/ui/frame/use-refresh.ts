import { useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'

const REFRESH_MS = 1500

/** Reloads the data while something is running; without scripts the page has to be reloaded instead. */
export function useRefresh(isOn: boolean): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(revalidate, REFRESH_MS)
    return () => clearInterval(timer)
  }, [isOn, revalidate])
}
