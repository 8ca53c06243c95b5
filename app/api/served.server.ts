import { CALLS, nameOf } from './contract/calls.ts'
import { analytics } from './resources/analytics.server.ts'
import { assessmentFigures } from './resources/assessment-figures.server.ts'
import { assessments } from './resources/assessments.server.ts'
import { audit } from './resources/audit.server.ts'
import { exports } from './resources/exports.server.ts'
import { files } from './resources/files.server.ts'
import { journeys } from './resources/journeys.server.ts'
import { learner } from './resources/learner.server.ts'
import { lifts } from './resources/lifts.server.ts'
import { messagePreviews } from './resources/message-previews.server.ts'
import { objectives } from './resources/objectives.server.ts'
import { participants } from './resources/participants.server.ts'
import { contacts } from './resources/people/contacts.server.ts'
import { mailStops } from './resources/people/mail-stops.server.ts'
import { notifications } from './resources/people/notifications.server.ts'
import { privacy } from './resources/people/privacy.server.ts'
import { security } from './resources/people/security.server.ts'
import { sessions } from './resources/people/sessions.server.ts'
import { userGroups } from './resources/people/user-groups.server.ts'
import { userImports } from './resources/people/user-imports.server.ts'
import { users } from './resources/people/users.server.ts'
import { prompts } from './resources/prompts.server.ts'
import { responses } from './resources/responses.server.ts'
import { schedules } from './resources/schedules.server.ts'
import { sponsors } from './resources/sponsors.server.ts'
import { apiKeys } from './resources/tenancy/api-keys.server.ts'
import { company } from './resources/tenancy/company.server.ts'
import { pools } from './resources/tenancy/pools.server.ts'
import { subTenants } from './resources/tenancy/sub-tenants.server.ts'
import { tenants } from './resources/tenancy/tenants.server.ts'
import { testing } from './resources/testing.server.ts'
import { today } from './resources/today.server.ts'
import { unknownMessages } from './resources/unknown-messages.server.ts'
import type { Served } from './serve.server.ts'

const BY_NAME = new Map(
  [
    analytics,
    apiKeys,
    assessmentFigures,
    assessments,
    audit,
    company,
    contacts,
    exports,
    files,
    journeys,
    learner,
    lifts,
    mailStops,
    messagePreviews,
    notifications,
    objectives,
    participants,
    pools,
    privacy,
    prompts,
    responses,
    schedules,
    security,
    sessions,
    sponsors,
    subTenants,
    tenants,
    testing,
    today,
    unknownMessages,
    userGroups,
    userImports,
    users,
  ]
    .flat()
    .map((served): [string, Served] => [nameOf(served.call), served]),
)

export function servedAt(call: Served['call']): Served {
  const served = BY_NAME.get(nameOf(call))
  if (!served) throw new Error(`There is no call at ${nameOf(call)}`)
  return served
}

/** In the order in which the router matches paths. */
export const SERVED: readonly Served[] = CALLS.map(servedAt)
