/** URLs of the schedule and of the pages opened from it; each keeps the page that the visitor came from. */
import { useParams, useSearchParams } from '@remix-run/react'
import { encodePath } from '#app/routes/encode-path.ts'

const pageIn = (search: URLSearchParams): string => {
  const page = search.get('page') ?? ''
  return /^[1-9]\d{0,5}$/.test(page) && page !== '1' ? `?page=${page}` : ''
}

export const scheduleIn = (journeyId: string | undefined, search: URLSearchParams, rest = ''): string =>
  `${encodePath`/lljs/${journeyId}/schedule`}${rest}${pageIn(search)}`

export const scheduleOf = (journeyId: string | undefined, request: Request): string =>
  scheduleIn(journeyId, new URL(request.url).searchParams)

type ScheduleAddress = {
  schedule: string
  to: (rest: string) => string
  liftTo: (id: number, rest?: string) => string
}

export function useScheduleAddress(): ScheduleAddress {
  const { journeyId } = useParams()
  const [search] = useSearchParams()
  return {
    schedule: scheduleIn(journeyId, search),
    to: (rest) => scheduleIn(journeyId, search, `/${rest}`),
    liftTo: (id, rest = '') => `/lljs/${journeyId}/lifts/${id}${rest}${pageIn(search)}`,
  }
}
