import * as analytics from './analytics.ts'
import * as assessmentFigures from './assessment-figures.ts'
import * as assessments from './assessments.ts'
import * as audit from './audit.ts'
import type { Call } from './call.ts'
import * as exports from './exports.ts'
import * as files from './files.ts'
import * as journeys from './journeys.ts'
import * as learner from './learner.ts'
import * as lifts from './lifts.ts'
import * as messagePreviews from './message-previews.ts'
import * as objectives from './objectives.ts'
import * as participants from './participants.ts'
import * as contacts from './people/contacts.ts'
import * as mailStops from './people/mail-stops.ts'
import * as notifications from './people/notifications.ts'
import * as privacy from './people/privacy.ts'
import * as security from './people/security.ts'
import * as sessions from './people/sessions.ts'
import * as userGroups from './people/user-groups.ts'
import * as userImports from './people/user-imports.ts'
import * as users from './people/users.ts'
import * as prompts from './prompts.ts'
import * as responses from './responses.ts'
import * as schedules from './schedules.ts'
import * as sponsors from './sponsors.ts'
import * as apiKeys from './tenancy/api-keys.ts'
import * as company from './tenancy/company.ts'
import * as pools from './tenancy/pools.ts'
import * as subTenants from './tenancy/sub-tenants.ts'
import * as tenants from './tenancy/tenants.ts'
import * as testing from './testing.ts'
import * as today from './today.ts'
import * as unknownMessages from './unknown-messages.ts'

const ALL: readonly Record<string, Call>[] = [
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

/** Literal paths come before those with parameters, so that `/users/me` is not taken for `/users/{id}`. */
export const CALLS: readonly Call[] = ALL.flatMap((calls) => Object.values(calls)).sort((one, other) =>
  holesLast(one.path) < holesLast(other.path) ? -1 : 1,
)

function holesLast(path: string): string {
  return path.replaceAll('{', '\uffff')
}

/** `GET /users/{id}` */
export const nameOf = ({ method, path }: Pick<Call, 'method' | 'path'>): string => `${method} ${path}`
