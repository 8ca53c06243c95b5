/** Which resource stands at which path. */
import { analyticsApi } from './analytics.server.ts'
import { assessmentsApi, journeyAssessmentsApi, owedFormsApi } from './assessments.server.ts'
import { auditApi } from './audit.server.ts'
import { authoringApi } from './authoring.server.ts'
import { companyApi } from './company.server.ts'
import { contactsApi } from './contacts.server.ts'
import type { createRouter } from './env.server.ts'
import { filesApi } from './files.server.ts'
import { journeysApi } from './journeys.server.ts'
import { learnerApi } from './learner.server.ts'
import { liftsApi, promptsApi } from './lifts.server.ts'
import { membersApi } from './members.server.ts'
import { notificationsApi } from './notifications.server.ts'
import { journeyObjectivesApi, objectivesApi } from './objectives.server.ts'
import { peopleApi } from './people.server.ts'
import { poolsApi } from './pools.server.ts'
import { privacyApi } from './privacy.server.ts'
import { learnerResponsesApi, liftResponsesApi } from './responses.server.ts'
import { securityApi } from './security.server.ts'
import { sessionsApi } from './sessions.server.ts'
import { sharedPoolApi } from './shared-pool.server.ts'
import { subTenantsApi } from './sub-tenants.server.ts'
import { tenantsApi } from './tenants.server.ts'
import { testingApi } from './testing.server.ts'
import { unknownMessagesApi } from './unknown-messages.server.ts'
import { userImportsApi } from './user-imports.server.ts'
import { poolApi, usersApi } from './users.server.ts'
import { welcomeApi } from './welcome.server.ts'

type Resource = readonly [path: string, router: ReturnType<typeof createRouter>]

/** Answered without a token. */
export const publicResources: readonly Resource[] = [['/users', poolApi]]

export const resources: readonly Resource[] = [
  ['/tenants', tenantsApi],
  ['/tenants', subTenantsApi],
  ['/tenants', companyApi],
  ['/tenants', poolsApi],
  ['/pools', sharedPoolApi],
  ['/users', sessionsApi],
  ['/users', securityApi],
  ['/users', contactsApi],
  ['/users', privacyApi],
  ['/users', usersApi],
  ['/users', userImportsApi],
  ['/users', peopleApi],
  ['/auth', welcomeApi],
  ['/files', filesApi],
  ['/lljs', journeysApi],
  ['/lljs', membersApi],
  ['/lljs', journeyObjectivesApi],
  ['/learning_objectives', objectivesApi],
  ['/lljs', journeyAssessmentsApi],
  ['/assessments', assessmentsApi],
  ['/lljs', authoringApi],
  ['/lifts', liftsApi],
  ['/lifts', liftResponsesApi],
  ['/lljs', learnerResponsesApi],
  ['/prompts', promptsApi],
  ['/learner', learnerApi],
  ['/learner', owedFormsApi],
  ['/unknown_messages', unknownMessagesApi],
  ['/analytics', analyticsApi],
  ['/notifications', notificationsApi],
  ['/audit_events', auditApi],
  ['/testing', testingApi],
]
