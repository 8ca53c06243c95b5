import { useMatches } from '@remix-run/react'
import { zoneAtHome } from '#app/domain/users/clock.ts'
import type { CurrentUser } from '#app/domain/users/current-user.ts'

/** The zone of whoever reads the page, as the frame around it knows them; UTC where there is no frame. */
export function useReaderZone(): string {
  const matches = useMatches()
  for (const { data } of matches) {
    const user = (data as { user?: CurrentUser } | undefined)?.user
    if (user?.tenant) return zoneAtHome(user)
  }
  return 'UTC'
}
