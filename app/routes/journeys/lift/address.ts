/** URLs of the page of a lift and of the pages opened from it; each keeps the schedule page that the visitor came from. */
import { useParams, useSearchParams } from '@remix-run/react'
import { encodePath } from '#app/routes/encode-path.ts'
import { scheduleIn } from '../schedule/address.ts'

type Params = { readonly journeyId?: string; readonly liftId?: string }

export function liftIn({ journeyId, liftId }: Params, search: URLSearchParams, rest = ''): string {
  const [, page] = scheduleIn(journeyId, search).split('?')
  return `${encodePath`/lljs/${journeyId}/lifts/${liftId}`}${rest}${page ? `?${page}` : ''}`
}

export const liftOf = (params: Params, request: Request, rest = ''): string =>
  liftIn(params, new URL(request.url).searchParams, rest)

export function useLiftAddress(): { schedule: string; lift: string; to: (rest: string) => string } {
  const params = useParams()
  const [search] = useSearchParams()
  return {
    schedule: scheduleIn(params.journeyId, search),
    lift: liftIn(params, search),
    to: (rest) => liftIn(params, search, `/${rest}`),
  }
}
