/**
 * The demo: a world that reads like real companies, written in one transaction on an empty database. Passwords are
 * stored first, so that an interrupted start can continue.
 */
import { type Kysely, sql } from 'kysely'
import type { Config } from '#app/config.server.ts'
import type { DB } from '#app/db/schema.ts'
import { inScope, operatorActor, type Scope, withinTenant } from '#app/domain/scope/scope.server.ts'
import { countSoon } from '#app/domain/tenants/count-soon.server.ts'
import { fullName } from '#app/domain/text/full-name.ts'
import { hasTenants } from '#app/domain/users/first-super-admin.server.ts'
import { type DemoAccount, generatePassword, keepDemoAccounts, readDemoAccounts } from './accounts.server.ts'
import { type DemoWorld, seedCompany, seedOperator } from './companies.server.ts'
import { seedGroups } from './groups.server.ts'
import { seedJourneys } from './journeys.server.ts'
import { seedNotifications } from './notifications.server.ts'
import { OPERATOR, SUPER_ADMIN } from './operator.ts'
import { NOTIFICATIONS_EACH, TENANTS } from './world.ts'

/** Creates or finds a confirmed account with this password, and returns its `sub`. */
type AccountMaker = (account: { email: string; password: string; name: string }) => Promise<string>

export type Seeding = {
  database: Kysely<DB>
  config: Pick<Config, 'DATA_DIR'>
  issuer: string
  pool_id: string
  makeAccount: AccountMaker
}

export async function seedDemo({ database, config, issuer, pool_id, makeAccount }: Seeding): Promise<void> {
  if (await hasTenants(database)) return
  const accounts = await keepAccounts(config.DATA_DIR)
  const subjects = new Map<string, string>()
  for (const account of accounts) subjects.set(account.email, await makeAccount(account))

  await inScope(database, operatorActor(), async (scope) => {
    const world: DemoWorld = { subjects, issuer, pool_id }
    await seedOperator(scope, world)
    for (const company of TENANTS) {
      const tenantId = await seedCompany(scope, company, world)
      if (company.is_testing) await openDoor(scope, pool_id, tenantId)
      if (company.status === 'active')
        await withinTenant(scope, tenantId, async (inner: Scope) => {
          await seedGroups(inner, company)
          await seedJourneys(inner, company)
          // More notifications than one page shows, in the largest company.
          await seedNotifications(inner, company.customer_type === 'Multi Tenant' ? 12 : NOTIFICATIONS_EACH)
          await countSoon(inner)
        })
    }
  })
}

/** Lets visitors of the demo sign up, as plain users of the testing tenant, which shows their mails. */
async function openDoor({ db }: Scope, pool_id: string, tenant_id: string): Promise<void> {
  const settings = { sign_up: { tenant_id }, required_attributes: ['given_name', 'family_name'] }
  await db
    .updateTable('pools')
    .set({ settings: sql`settings || ${JSON.stringify(settings)}` })
    .where('id', '=', pool_id)
    .execute()
}

async function keepAccounts(dataDir: string): Promise<DemoAccount[]> {
  const kept = await readDemoAccounts(dataDir)
  if (kept) return kept
  const accounts: DemoAccount[] = [
    {
      role: 'super_admin',
      name: fullName(SUPER_ADMIN),
      email: SUPER_ADMIN.email,
      password: generatePassword(),
      tenant: OPERATOR.name,
    },
  ]
  for (const company of TENANTS) {
    for (const person of company.people) {
      if (!person.account) continue
      const { email, account: role } = person
      accounts.push({
        role,
        name: fullName(person),
        email,
        password: generatePassword(),
        tenant: company.name,
      })
    }
  }
  await keepDemoAccounts(dataDir, accounts)
  return accounts
}
