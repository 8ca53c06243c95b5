import { nameOrEmail } from '#app/domain/text/full-name.ts'
import { OUTSIDER } from '../text/learner-name.server.ts'

/** Null where there is none: inside a sub-tenant, a sponsor of elsewhere is there and has no name. */
export const sponsorName = (
  sponsor_id: number | null,
  person: Parameters<typeof nameOrEmail>[0],
): string | null => nameOrEmail(person) ?? (sponsor_id === null ? null : OUTSIDER)
