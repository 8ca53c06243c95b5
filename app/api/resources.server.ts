/** Which resource stands at which path. */
import { companyApi } from './company.server.ts'
import type { createRouter } from './env.server.ts'
import { filesApi } from './files.server.ts'
import { subTenantsApi } from './sub-tenants.server.ts'
import { tenantsApi } from './tenants.server.ts'
import { poolApi, usersApi } from './users.server.ts'

type Resource = readonly [path: string, router: ReturnType<typeof createRouter>]

/** Answered without a token. */
export const publicResources: readonly Resource[] = [['/users', poolApi]]

export const resources: readonly Resource[] = [
  ['/tenants', tenantsApi],
  ['/tenants', subTenantsApi],
  ['/tenants', companyApi],
  ['/users', usersApi],
  ['/files', filesApi],
]
