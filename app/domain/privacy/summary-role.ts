import type { GeneralRole } from '../access/actor.ts'

/** Whose journeys can be summed up: those of administrators and authors, wherever they are one. */
export const mayHaveSummary = (roles: readonly Pick<GeneralRole, 'role'>[]): boolean =>
  roles.some(({ role }) => role === 'admin' || role === 'author')
