import { z } from 'zod'
import { stale } from './errors.ts'

/** The query of calls without a body; without `lock_version` nothing is compared. */
export const SeenQuery = z.object({ lock_version: z.coerce.number().int().min(0).optional() })
export type Seen = z.infer<typeof SeenQuery>

const isOlder = (stored: { lock_version: number }, { lock_version }: Seen): boolean =>
  lock_version !== undefined && lock_version !== stored.lock_version

/** Whether somebody else made the very same change meanwhile; any other change of theirs is a conflict. */
export function wasDone(stored: { lock_version: number }, seen: Seen, isAsIs: boolean): boolean {
  if (!isAsIs) requireSeen(stored, seen)
  return isAsIs && isOlder(stored, seen)
}

export function requireSeen(stored: { lock_version: number }, seen: Seen): void {
  if (isOlder(stored, seen)) throw stale(stored)
}
