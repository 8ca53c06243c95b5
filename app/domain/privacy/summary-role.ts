import type { GeneralRole } from '../access/actor.ts'

/** Who can get the weekly summary: administrators and authors, of any place. */
export const mayHaveSummary = (roles: readonly Pick<GeneralRole, 'role'>[]): boolean =>
  roles.some(({ role }) => role === 'admin' || role === 'author')
