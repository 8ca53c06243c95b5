/** Defaults for a platform without special rules. */
import type { House } from './door.ts'

export const NO_HOUSE: House = {
  deliver: async () => {},
  hasPerson: async () => false,
  requiresMfa: async () => false,
  admit: async () => {},
  takeNames: async () => {},
  maySignUp: async () => true,
  companyOf: async () => null,
  sayWhen: async (_, at) =>
    `${at.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} (UTC)`,
}
