/** Loads more notifications than the page has. Without an answer the list stays as it is. */
import { useEffect, useState } from 'react'
import type { Told } from '#app/domain/notifications/notification.ts'

type Answer = { to: object; told: Told | null }

/** Starts with the newest on each page; once more is loaded, it reloads when the page's own notifications change. */
export function useMore(told: Told, page: string) {
  const [asked, setAsked] = useState({ page, pages: 1 })
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [more, setMore] = useState({ page, told })
  const isHere = asked.page === page && asked.pages > 1

  // biome-ignore lint/correctness/useExhaustiveDependencies: what the page is told anew, it asks for anew
  useEffect(() => {
    if (!isHere) return
    let isOver = false
    readMore(asked.pages).then((found) => {
      if (isOver) return
      setAnswer({ to: asked, told: found })
      if (found) setMore({ page, told: found })
    })
    return () => {
      isOver = true
    }
  }, [asked, isHere, told])

  const isAnswered = isHere && answer?.to === asked
  return {
    shown: isHere && more.page === page ? more.told : told,
    isLoading: isHere && !isAnswered,
    isMissing: isAnswered && answer.told === null,
    view: (pages: number) => setAsked({ page, pages }),
  }
}

async function readMore(pages: number): Promise<Told | null> {
  try {
    const answer = await fetch(`/notifications/more?page=${pages}`)
    return answer.ok ? ((await answer.json()) as Told) : null
  } catch {
    return null
  }
}
