import { useMatches } from '@remix-run/react'
import { zoneAtHome } from '#app/domain/users/clock.ts'
import type { CurrentUser } from '#app/domain/users/current-user.ts'

/** The time zone of the visitor, from the data of the frame; UTC without a frame. */
export function useReaderZone(): string {
  const matches = useMatches()
  for (const { data } of matches) {
    const user = (data as { user?: CurrentUser } | undefined)?.user
    if (user?.tenant) return zoneAtHome(user)
  }
  return 'UTC'
}
