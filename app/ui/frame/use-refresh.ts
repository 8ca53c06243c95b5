import { useNavigation, useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'

const REFRESH_MS = 1500

/**
 * Reloads the data while something is running; without scripts the page has to be reloaded instead. One reload at a
 * time: a second one would cancel the first, and a slow answer would never come.
 */
export function useRefresh(isOn: boolean): void {
  const { revalidate, state } = useRevalidator()
  const isMoving = useNavigation().state !== 'idle'
  const isNext = isOn && state === 'idle' && !isMoving
  useEffect(() => {
    if (!isNext) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(look, REFRESH_MS)
    }
    const look = async () => {
      const answers = await isAnswering()
      if (isOver) return
      if (answers) revalidate()
      else wait()
    }
    wait()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isNext, revalidate])
}

/** Checked before each reload, because a failed one replaces the page by an error. */
const isAnswering = (): Promise<boolean> =>
  fetch('/readyz').then(
    ({ status }) => status < 500,
    () => false,
  )
