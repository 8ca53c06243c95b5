import { nameOrEmail } from '#app/domain/text/full-name.ts'
import { OUTSIDER } from '../text/learner-name.server.ts'

/** Null without a sponsor. Inside a sub-tenant, a sponsor from elsewhere is not named. */
export const sponsorName = (
  sponsor_id: number | null,
  person: Parameters<typeof nameOrEmail>[0],
): string | null => nameOrEmail(person) ?? (sponsor_id === null ? null : OUTSIDER)
